/** Asks about each of many, `atOnce` at the same time, and yields the answers in their order. */
export async function* inPieces<Each, Answer>(
  all: readonly Each[],
  atOnce: number,
  ask: (each: Each) => Promise<Answer>,
): AsyncGenerator<Answer> {
  for (let at = 0; at < all.length; at += atOnce) {
    yield* await Promise.all(all.slice(at, at + atOnce).map(ask));
  }
}
