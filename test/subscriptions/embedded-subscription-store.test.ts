import { subscriptionStoreContract } from "../contracts/subscription-store.ts";

subscriptionStoreContract("embedded");
