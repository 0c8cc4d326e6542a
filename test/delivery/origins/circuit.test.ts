import { expect, test } from "vitest";
import { createCircuit } from "../../../src/delivery/origins/circuit.ts";

const start = 1_700_000_000_000;

function prepare() {
  const clock = { now: start };
  const circuit = createCircuit({ now: () => clock.now, random: () => 0.5 });
  const fail = (times: number, retryAfter = 0) => {
    for (let n = 0; n < times; n += 1) circuit.fail("answered 503", retryAfter);
  };
  /** Waits for the pause, and lets one attempt probe. */
  const probe = (): number => {
    const until = circuit.view().until ?? Number.NaN;
    const pause = until - clock.now;
    clock.now = until - 1;
    expect(circuit.bars()).toBe(true);
    clock.now = until;
    expect(circuit.bars()).toBe(false);
    circuit.begin();
    return pause;
  };
  return { clock, circuit, fail, probe };
}

test("four failures in a row leave it closed, and a success between them begins the count anew", () => {
  const { circuit, fail } = prepare();
  fail(4);
  circuit.succeed();
  fail(4);
  expect([circuit.view().state, circuit.bars()]).toEqual(["closed", false]);
  expect(circuit.fail("refused the connection", 0)).toBe("opened");
  const closedBefore = {
    state: "open",
    since: start,
    until: start + 1000,
    because: "refused the connection",
  };
  expect([circuit.view(), circuit.bars()]).toEqual([closedBefore, true]);
});

test("each probe that fails doubles the pause, up to five minutes; it is open since it first opened", () => {
  const { circuit, fail, probe } = prepare();
  fail(5);
  const pauses = Array.from({ length: 11 }, () => {
    const pause = probe();
    expect(circuit.view().state).toBe("half-open");
    fail(1);
    return pause / 1000;
  });
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
  expect(circuit.view().since).toBe(start);
});

test("a probe that succeeds closes it, and the next opening is short again", () => {
  const { clock, circuit, fail, probe } = prepare();
  fail(5);
  probe();
  fail(1);
  probe();
  expect(circuit.succeed()).toBe(true);
  expect(circuit.view()).toEqual({ state: "closed", since: clock.now, until: undefined, because: undefined });
  fail(5);
  expect(probe()).toBe(1000);
});

test("a probe that comes to nothing leaves the next attempt to be one", () => {
  const { circuit, fail, probe } = prepare();
  fail(5);
  probe();
  circuit.abandon();
  expect([circuit.view().state, circuit.bars()]).toEqual(["open", false]);
  circuit.begin();
  expect(circuit.view().state).toBe("half-open");
});

test("Retry-After makes a pause longer, never shorter, and no longer than five minutes", () => {
  for (const [retryAfter, pause] of [
    [10, 1000],
    [60_000, 60_000],
    [3_600_000, 300_000],
  ] as const) {
    const { fail, probe } = prepare();
    fail(5, retryAfter);
    expect(probe()).toBe(pause);
  }
});

test("where the clock is put back, an open circuit does not wait until it has come so far again", () => {
  const { clock, circuit, fail } = prepare();
  fail(5);
  clock.now = start - 3_600_000;
  expect(circuit.bars()).toBe(false);
});
