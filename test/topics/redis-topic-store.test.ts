import { topicStoreContract } from "../contracts/topic-store.ts";

topicStoreContract("redis");
