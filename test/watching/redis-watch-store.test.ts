import { watchStoreContract } from "../contracts/watch-store.ts";

watchStoreContract("redis");
