import { deliveryLedgerContract } from "../contracts/delivery-ledger.ts";

deliveryLedgerContract("embedded");
