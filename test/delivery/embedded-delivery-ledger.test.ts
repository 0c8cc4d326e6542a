import { expect, test } from "vitest";
import { claimsInMemory } from "../../src/delivery/claims-in-memory.ts";
import { deadLettersContract } from "../contracts/dead-letters.ts";
import { deliveryControlContract } from "../contracts/delivery-control.ts";
import { deliveryLedgerContract } from "../contracts/delivery-ledger.ts";
import { dueTimesContract } from "../contracts/due-times.ts";
import { recordRingsContract } from "../contracts/record-rings.ts";
import { idOf } from "../support/new-delivery.ts";
import { testChannel } from "../support/new-notification.ts";

deliveryLedgerContract("embedded");
deliveryControlContract("embedded");
deadLettersContract("embedded");
recordRingsContract("embedded");
dueTimesContract("embedded");

test("a claim does not lapse because the clock jumps: the process would deliver beside itself", () => {
  const claims = claimsInMemory(15_000);
  const [channel, now] = [testChannel(), Date.now()];
  claims.take(channel, idOf("a"), now);
  expect(claims.isFree(channel, idOf("a"), now + 3_600_000)).toBe(false);
});
