import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds. */
const longestWait = 25;

/**
 * The pace of passes over all readers. A pass costs a system call for each reader, whether it writes one notification or ten. So
 * while further ones are being appended, a pass waits for them, for as long as the last pass took at most: waiting for them costs
 * less than a pass of their own. With few readers, or one publication at a time, nothing ever waits.
 */
export function createPassPace({ now = () => performance.now() } = {}) {
  let took = 0;
  let isMoreUnderWay = false;
  let go: (() => void) | undefined;
  let gathering: Promise<void> | undefined;

  return {
    /** Resolves when the wait that goes on now is over. */
    gathering: () => gathering,
    /** What is known of appends that are under way, whenever one has ended. */
    note(isMore: boolean): void {
      isMoreUnderWay = isMore;
      if (!isMore) go?.();
    },
    async gather(): Promise<void> {
      const longest = Math.min(took, longestWait);
      if (!isMoreUnderWay || longest < 1) return;
      gathering = new Promise((resolve) => {
        const late = setTimeout(resolve, longest);
        go = () => {
          clearTimeout(late);
          resolve();
        };
      });
      await gathering;
      [go, gathering] = [undefined, undefined];
    },
    pass<Result>(run: () => Result): Result {
      const began = now();
      const result = run();
      took = now() - began;
      return result;
    },
  };
}

/** Resolves in the turn after a pass that is about to begin. */
export async function afterPass(gathering: () => Promise<void> | undefined): Promise<void> {
  await nextTurn();
  const wait = gathering();
  if (wait === undefined) return;
  await wait;
  await nextTurn();
}
