import { setImmediate } from "node:timers/promises";

/**
 * Asks about each of many, `atOnce` at the same time, and yields the answers in their order. Between pieces others have their
 * turn: an engine that answers without waiting would else hold up the whole process for as long as there are rows.
 */
export async function* inPieces<Each, Answer>(
  all: readonly Each[],
  atOnce: number,
  ask: (each: Each) => Promise<Answer>,
): AsyncGenerator<Answer> {
  for (let at = 0; at < all.length; at += atOnce) {
    if (at > 0) await setImmediate();
    yield* await Promise.all(all.slice(at, at + atOnce).map(ask));
  }
}
