import { topicStoreContract } from "../contracts/topic-store.ts";

topicStoreContract("embedded");
