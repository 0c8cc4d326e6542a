import { describe, expect, test } from "vitest";
import type { Claim } from "../../src/delivery/delivery-ledger.ts";
import { ownClaims } from "../../src/delivery/own-claims.ts";
import { engineNames, openEngine, type TestEngine } from "../support/engines.ts";
import { failingUntil, idOf, prepare } from "../support/new-delivery.ts";
import { testChannel } from "../support/new-notification.ts";

const channel = testChannel();
/** How long claims last. Milliseconds. */
const lasts = 100;
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const taken = (claims: readonly Claim[]) => claims.map(({ subscription }) => subscription.id);

/** Claims that nobody keeps, as in a process that stands still. */
function withoutKeeping({ ledger }: TestEngine) {
  const claims = ownClaims(ledger, { lasts: 3_600_000, now: Date.now });
  return { ...claims, [Symbol.dispose]: claims.close };
}

describe.each(engineNames)("claims of one process, %s engine", (engine) => {
  async function storeOf(...names: readonly string[]): Promise<TestEngine> {
    const store = await openEngine(engine, { claim: lasts });
    await prepare(store, 2, names);
    return store;
  }

  test("what it holds it does not claim again, however long ago the claim has lapsed", async () => {
    await using store = await storeOf("a", "b");
    using claims = withoutKeeping(store);
    expect(taken(await claims.claim(channel, [idOf("a")]))).toEqual([idOf("a")]);
    await wait(lasts + 50);
    expect(taken(await claims.claim(channel, [idOf("a"), idOf("b")]))).toEqual([idOf("b")]);
  });

  test("what it gives back it can claim again, also before the store has heard of it", async () => {
    await using store = await storeOf("a", "b", "c");
    const ids = ["a", "b", "c"].map(idOf);
    using claims = withoutKeeping(store);
    const [a, b, c] = await claims.claim(channel, ids);
    if (a === undefined || b === undefined || c === undefined) throw new Error("not all were claimed");
    const past = failingUntil(Date.now() - 1);
    const given = [claims.release(a), claims.defer(b, past), claims.pause(c, past)];
    await Promise.all(given);
    expect(taken(await claims.claim(channel, ids))).toEqual([idOf("a"), idOf("b")]);
  });

  test("of two that claim one subscription at the same time, one has it", async () => {
    await using store = await storeOf("a");
    using claims = withoutKeeping(store);
    const both = await Promise.all([claims.claim(channel, [idOf("a")]), claims.claim(channel, [idOf("a")])]);
    expect(both.map(taken).flat()).toEqual([idOf("a")]);
  });

  test("a claim whose answer was read late, after others have taken over, is not delivered under", async () => {
    await using store = await storeOf("a", "b");
    const { ledger } = store;
    const claims = ownClaims(
      {
        ...ledger,
        async claim(...asked) {
          const answer = await ledger.claim(...asked);
          await wait(lasts + 50);
          await ledger.claim(channel, [idOf("a")], Date.now());
          return answer;
        },
      },
      { lasts, now: Date.now },
    );
    expect(taken(await claims.claim(channel, [idOf("a"), idOf("b")]))).toEqual([idOf("b")]);
    claims.close();
  });
});
