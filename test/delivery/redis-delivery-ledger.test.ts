import { expect, test } from "vitest";
import { deadLettersContract } from "../contracts/dead-letters.ts";
import { deliveryControlContract } from "../contracts/delivery-control.ts";
import { deliveryLedgerContract } from "../contracts/delivery-ledger.ts";
import { dueTimesContract } from "../contracts/due-times.ts";
import { recordRingsContract } from "../contracts/record-rings.ts";
import { openEngine } from "../support/engines.ts";
import { claimOne, failingUntil, idOf, prepare } from "../support/new-delivery.ts";
import { testChannel } from "../support/new-notification.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { waitUntil } from "../support/wait-until.ts";

deliveryLedgerContract("redis");
deliveryControlContract("redis");
deadLettersContract("redis");
recordRingsContract("redis");
dueTimesContract("redis");

const channel = testChannel();
const hour = 3_600_000;

test("a claim ends when Redis is started again: a store that may have gone back takes no moves of what it held", async () => {
  await using server = await startRedisServer();
  await using store = await openEngine("redis", { redisUrl: server.url });
  await prepare(store, 3, ["a"]);
  const claim = await claimOne(store, "a", Date.now());
  await server.kill();
  await server.start();
  await waitUntil(async () => {
    expect(await store.ledger.advance(channel, [{ claim, from: 0, to: 1 }])).toEqual([false]);
  });
  expect(await store.ledger.keep(channel, [claim])).toEqual([claim]);
  const next = await claimOne(store, "a", Date.now());
  expect(next.fence).toBeGreaterThan(claim.fence);
  expect(await store.ledger.advance(channel, [{ claim: next, from: 0, to: 1 }])).toEqual([true]);
});

test("claims lapse by the clock of Redis: a process whose clock is wrong takes over nothing, and leaves nothing behind", async () => {
  await using store = await openEngine("redis");
  await prepare(store, 3, ["a"]);
  const claim = await claimOne(store, "a", Date.now() - hour);
  expect(await store.ledger.claim(channel, "all", Date.now() + hour)).toEqual([]);
  expect(await store.ledger.keep(channel, [claim])).toEqual([]);
  await store.ledger.release(channel, [claim]);
  const ahead = await claimOne(store, "a", Date.now() + hour);
  // It fails at once, and is due now by the clock of the process that it fails at.
  expect(await store.ledger.defer(ahead, failingUntil(Date.now()))).toBe(true);
  expect((await store.ledger.backlog(channel, Date.now() - hour)).due).toEqual([idOf("a")]);
});
