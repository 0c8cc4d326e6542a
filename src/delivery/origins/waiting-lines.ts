import { createFifo, type Fifo } from "./fifo.ts";
import type { AttemptNumber, Origin, Pace } from "./origin.ts";
import type { Shares } from "./shares.ts";

/** Is called with a turn, or with `undefined` where there is none to wait for any more: ask again. */
type Waiter = (turn: AttemptNumber | undefined) => void;

/** One origin and the subscriptions that wait for a turn at it, one attempt each. */
export interface Line {
  readonly origin: Origin;
  readonly waiters: Fifo<Waiter>;
  /** As what its running attempts are counted. */
  countedAs: Pace;
  /** Its place among the origins that wait; `undefined` where it waits for nothing, or only for itself. */
  place: number | undefined;
}

export function createLine(origin: Origin): Line {
  return { origin, waiters: createFifo(), countedAs: origin.pace(), place: undefined };
}

interface Standing {
  readonly line: Line;
  readonly place: number;
}

/** The origins that wait for a slot, in the order in which they came, by pace. */
export function waitingLines(shares: Pick<Shares, "order" | "hasRoom">) {
  const queues = {
    slow: createFifo<Standing>(),
    unknown: createFifo<Standing>(),
    fast: createFifo<Standing>(),
  };
  let lastPlace = 0;

  /** The first that still has the place which it was queued with. */
  const firstIn = (queue: Fifo<Standing>): Standing | undefined => {
    for (let first = queue.first(); first !== undefined; first = queue.first()) {
      if (first.line.place === first.place) return first;
      queue.shift();
    }
    return undefined;
  };

  return {
    /** Puts it behind all others; a place that it had before is lost. */
    add(line: Line): void {
      lastPlace += 1;
      line.place = lastPlace;
      queues[line.countedAs].push({ line, place: lastPlace });
    },
    /** The one that waits for longest among those whose share has room. */
    next(): Line | undefined {
      let next: Standing | undefined;
      for (const pace of shares.order) {
        if (!shares.hasRoom(pace)) continue;
        const first = firstIn(queues[pace]);
        if (first !== undefined && (next === undefined || first.place < next.place)) next = first;
      }
      return next?.line;
    },
  };
}
