import { closedListsContract } from "../contracts/closed-lists.ts";

closedListsContract("redis");
