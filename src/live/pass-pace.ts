import { setImmediate as nextTurn } from "node:timers/promises";

/** Milliseconds. */
const longestWait = 25;

interface Parts {
  /** Calls when nothing is being appended any more; `undefined` where nothing is. The answer calls it off. */
  readonly whenQuiet: (act: () => void) => (() => void) | undefined;
  readonly now?: () => number;
}

/**
 * The pace of passes over all readers. A pass costs a system call for each reader, whether it writes one notification or ten. So
 * while further ones are being appended, a pass waits for them, for as long as the last pass took at most: waiting for them costs
 * less than a pass of their own. With few readers, or one publication at a time, nothing ever waits.
 */
export function createPassPace({ whenQuiet, now = () => performance.now() }: Parts) {
  let took = 0;
  let gathering: Promise<void> | undefined;

  function quietOrLate(longest: number): Promise<void> | undefined {
    let go = (): void => {};
    const over = new Promise<void>((resolve) => (go = resolve));
    const forget = whenQuiet(go);
    if (forget === undefined) return undefined;
    const late = setTimeout(go, longest);
    return over.then(() => {
      clearTimeout(late);
      forget();
    });
  }

  return {
    /** Resolves when the wait that goes on now is over. */
    gathering: () => gathering,
    async gather(): Promise<void> {
      const longest = Math.min(took, longestWait);
      if (longest < 1) return;
      gathering = quietOrLate(longest);
      await gathering;
      gathering = undefined;
    },
    pass<Result>(run: () => Result): Result {
      const began = now();
      const result = run();
      took = now() - began;
      return result;
    },
  };
}

/** Resolves in the turn after a pass that is about to begin, or after it has asked for what it is to write. */
export async function afterPass(gathering: () => Promise<void> | undefined): Promise<void> {
  await nextTurn();
  const wait = gathering();
  if (wait === undefined) return;
  await wait;
  await nextTurn();
}
