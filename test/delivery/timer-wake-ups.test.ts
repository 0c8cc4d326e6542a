import { wakeUpsContract } from "../contracts/wake-ups.ts";

wakeUpsContract("embedded");
