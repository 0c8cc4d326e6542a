import { StorageUnavailable } from "../log/notification-log.ts";

/** What a lot has: so many writes share a commit of the embedded store, or a round trip to Redis. */
const lotSize = 64;

/** Of failures that are told together: the others will hardly say more. */
const maxTold = 10;

const isStoreAway = (error: unknown): boolean => error instanceof StorageUnavailable;

/**
 * Does `act` for each, a lot at a time, also where some fail: one that always does must not keep the others from being looked at. Only
 * where a whole lot finds the store away does it end there, since each lot would wait for it anew. Settles when nothing runs any more.
 */
export async function inLots<Item>(items: Iterable<Item>, act: (item: Item) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  const runLot = async (lot: readonly Item[]): Promise<"store-away" | "done"> => {
    const results = await Promise.allSettled(lot.map(act));
    const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    failures.push(...reasons);
    return reasons.length === lot.length && reasons.every(isStoreAway) ? "store-away" : "done";
  };
  for (const lot of lotsOf(items)) if ((await runLot(lot)) === "store-away") break;
  if (failures.length > 0) throw told(failures);
}

function* lotsOf<Item>(items: Iterable<Item>): Generator<readonly Item[]> {
  let lot: Item[] = [];
  for (const item of items) {
    lot.push(item);
    if (lot.length < lotSize) continue;
    yield lot;
    lot = [];
  }
  if (lot.length > 0) yield lot;
}

/** A store that was away says the same to all; what else failed must not hide behind it. */
function told(failures: readonly unknown[]): unknown {
  const others = failures.filter((failure) => !isStoreAway(failure));
  if (others.length < 2) return others[0] ?? failures[0];
  const [first] = others;
  const reason = first instanceof Error ? first.message : String(first);
  return new AggregateError(others.slice(0, maxTold), `${others.length} failed. The first: ${reason}`);
}
