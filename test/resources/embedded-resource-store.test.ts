import { resourceStoreContract } from "../contracts/resource-store.ts";

resourceStoreContract("embedded");
