import type { CircuitView } from "./circuit.ts";
import { createOrigin } from "./origin.ts";
import { createLine, type Line } from "./waiting-lines.ts";

/** One origin as this process knows it, for operators. */
export interface OriginView extends CircuitView {
  readonly origin: string;
  /** Attempts under way. */
  readonly running: number;
  /** Subscriptions that wait for a slot. */
  readonly waiting: number;
  /** Attempts at the same time that it is allowed now: less than `delivery.perOrigin` after it was overloaded. */
  readonly limit: number;
  /** Moving average of how long its answers take; `undefined` before the first one. */
  readonly averageMilliseconds: number | undefined;
}

interface Known {
  readonly line: Line;
  /** Subscriptions that are being delivered to. */
  users: number;
  usedAt: number;
}

interface KnownOriginsParts {
  readonly perOrigin: number;
  readonly now: () => number;
  readonly random: () => number;
  /** More may be known while more are in use. */
  readonly most?: number;
}

/** One that nothing was sent to for so long begins anew. Milliseconds. */
const keptFor = 3_600_000;

const viewOf = (origin: string, { line }: Known): OriginView => ({
  origin,
  ...line.origin.view(),
  waiting: line.waiters.length,
});

/** What this process remembers of the servers that it calls. It dies with the process. */
export function knownOrigins({ perOrigin, now, random, most = 10_000 }: KnownOriginsParts) {
  const known = new Map<string, Known>();
  const notClosed = new Set<string>();
  const forget = (origin: string): void => {
    known.delete(origin);
    notClosed.delete(origin);
  };

  const idle = (): [string, Known][] => [...known].filter(([, { users }]) => users === 0);
  const forgetOld = (): void => {
    const before = now() - keptFor;
    for (const [origin, { usedAt }] of idle()) if (usedAt < before) forget(origin);
  };
  /** Some at a time, so that a new one is not paid for by a look at all. */
  const makeRoom = (): void => {
    const oldest = idle().toSorted(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [origin] of oldest.slice(0, Math.ceil(most / 10))) forget(origin);
  };
  const add = (origin: string, failedBefore: boolean): Known => {
    if (known.size >= most) makeRoom();
    const line = createLine(createOrigin({ width: perOrigin, failedBefore, now, random }));
    const added = { line, users: 0, usedAt: now() };
    known.set(origin, added);
    return added;
  };

  return {
    /** To be given back by `leave`. `failedBefore`: what the store knows, where this process knows nothing. */
    enter(origin: string, failedBefore: boolean): Line {
      const one = known.get(origin) ?? add(origin, failedBefore);
      one.users += 1;
      return one.line;
    },
    leave(origin: string): void {
      const one = known.get(origin);
      if (one === undefined) return;
      one.users -= 1;
      one.usedAt = now();
    },
    forgetOld,
    lines: (): Line[] => [...known.values()].map(({ line }) => line),
    /** Counts those that are not closed; answers how many there are now. */
    turned(origin: string, to: "open" | "closed"): number {
      if (to === "open") notClosed.add(origin);
      else notClosed.delete(origin);
      return notClosed.size;
    },
    openCircuits: (): number => notClosed.size,
    /** `undefined` where nothing is known of it. */
    view(origin: string): OriginView | undefined {
      const one = known.get(origin);
      return one === undefined ? undefined : viewOf(origin, one);
    },
    views: (): OriginView[] => [...known].map(([origin, one]) => viewOf(origin, one)),
  };
}

export type KnownOrigins = ReturnType<typeof knownOrigins>;
