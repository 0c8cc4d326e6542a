/** What a lot has: so many writes share a commit of the embedded store, or a round trip to Redis. */
const lotSize = 64;

/** Does `act` for each, a lot at a time. Rejects with the first failure; those of its lot that were begun go on to their end. */
export async function inLots<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  let lot: Promise<void>[] = [];
  for (const item of items) {
    lot.push(act(item));
    if (lot.length < lotSize) continue;
    await Promise.all(lot);
    lot = [];
  }
  await Promise.all(lot);
}
