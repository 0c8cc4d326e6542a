import { deadLettersContract } from "../contracts/dead-letters.ts";
import { deliveryControlContract } from "../contracts/delivery-control.ts";
import { deliveryLedgerContract } from "../contracts/delivery-ledger.ts";
import { recordRingsContract } from "../contracts/record-rings.ts";

deliveryLedgerContract("redis");
deliveryControlContract("redis");
deadLettersContract("redis");
recordRingsContract("redis");
