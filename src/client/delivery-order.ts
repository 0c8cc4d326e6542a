/** Resolves when the delivery was handled, now or before; rejects as `handle` does, and then its id may come again. */
export type TakeInOrder = (id: string | undefined, handle: () => Promise<void> | void) => Promise<void>;

/** One delivery after the other, and each id once, as far as the last `remembered` ids tell. */
export function inOrder(remembered: number): TakeInOrder {
  const handled = new Set<string>();
  const running = new Map<string, Promise<void>>();
  let last: Promise<void> = Promise.resolve();

  function takeTurn(handle: () => Promise<void> | void): Promise<void> {
    const turn = last.then(handle);
    last = turn.catch(() => {});
    return turn;
  }

  async function once(id: string, handle: () => Promise<void> | void): Promise<void> {
    const turn = takeTurn(handle);
    running.set(id, turn);
    try {
      await turn;
      handled.add(id);
      const [oldest] = handled;
      if (handled.size > remembered && oldest !== undefined) handled.delete(oldest);
    } finally {
      running.delete(id);
    }
  }

  return async (id, handle) => {
    if (id === undefined) await takeTurn(handle);
    // A hub that ran out of patience sends again while the handler is still at work: both get its one outcome.
    else if (!handled.has(id)) await (running.get(id) ?? once(id, handle));
  };
}
