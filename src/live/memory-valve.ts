import type { Events } from "../observability/events.ts";

export interface Weighed {
  /** Bytes that wait for it. */
  readonly waiting: () => number;
  /** Bytes that it has taken since it came. */
  readonly taken: () => number;
  /** Ends it without a word, so that what waits for it is free at once. */
  readonly destroy: () => void;
}

interface Parts {
  readonly readers: () => readonly Weighed[];
  /** Bytes that buffers may take in this process before readers are cut off. */
  readonly limit: number;
  readonly events: Pick<Events, "readersCutOff">;
  readonly memory?: () => number;
  /** Milliseconds between two looks. */
  readonly interval?: number;
}

const buffersOfProcess = (): number => process.memoryUsage().arrayBuffers;

/**
 * Looks at the memory that buffers take, and where that is too much, cuts off readers that take nothing: first those for whom the
 * most waits, until as much as is too much is given up. What waits is shared by readers that are written to together, so the sum
 * over them says nothing; the process does. Whoever is cut off can resume where it was.
 */
export function watchMemory({ readers, limit, events, memory = buffersOfProcess, interval = 1_000 }: Parts) {
  let takenBefore = new WeakMap<Weighed, number>();

  function look(): void {
    const excess = memory() - limit;
    const waiting = readers().filter((reader) => reader.waiting() > 0);
    const stuck = waiting.filter((reader) => takenBefore.get(reader) === reader.taken());
    takenBefore = new WeakMap(waiting.map((reader) => [reader, reader.taken()]));
    if (excess <= 0 || stuck.length === 0) return;
    let [freed, ended] = [0, 0];
    for (const reader of stuck.toSorted((one, other) => other.waiting() - one.waiting())) {
      freed += reader.waiting();
      ended += 1;
      reader.destroy();
      if (freed > excess) break;
    }
    events.readersCutOff({ readers: ended, bytes: freed });
  }

  const timer = setInterval(look, interval);
  timer.unref();
  return { look, close: (): void => clearInterval(timer) };
}
