import type { SetId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import { answered, type FetchOutcome } from "./fetch-outcome.ts";
import type { FetchTopic } from "./fetch-topic.ts";

/** Publishes what is new in a Change List, once, however often it is given. */
export type TakeChangeList = (list: {
  readonly set: SetId;
  readonly url: string;
  readonly body: Uint8Array;
  /** When the request was sent: the document holds nothing that came to be later. Milliseconds since 1970. */
  readonly fetchedAt: number;
}) => Promise<
  | { readonly kind: "begun" }
  /** `isMore`: lists of the index are still to be read. */
  | { readonly kind: "taken"; readonly isMore: boolean }
  | { readonly kind: "failed"; readonly reason: string }
>;

/** An index is read in rounds; a claim does not last for more of them. */
const maxRounds = 20;

/** Has the changes of a list taken, whose index is read in several rounds. */
export async function takeWhole(
  take: TakeChangeList,
  list: Parameters<TakeChangeList>[0],
): Promise<FetchOutcome> {
  for (let round = 0; round < maxRounds; round += 1) {
    const outcome = await take(list);
    if (outcome.kind === "failed") return { kind: "failed", reason: outcome.reason, mayRetry: true };
    if (outcome.kind === "begun" || !outcome.isMore) return answered;
  }
  return { kind: "failed", reason: "its index has more lists than are read at a time", mayRetry: true };
}

interface Parts {
  readonly channels: Pick<Channels, "sets">;
  readonly fetch: FetchTopic;
  readonly take: TakeChangeList;
  readonly now: () => number;
}

/** Fetches the Change List that a Source keeps of its set, when the Source pings that. */
export function refreshChangeLists({ channels, fetch, take, now }: Parts) {
  return async (set: SetId): Promise<FetchOutcome> => {
    const url = channels.sets.find(({ id }) => id === set)?.capabilities.changelist;
    // The configuration has changed since the ping.
    if (url === undefined) return answered;
    const fetchedAt = now();
    const fetched = await fetch(url, null);
    if (fetched.kind === "content") return await takeWhole(take, { set, url, body: fetched.body, fetchedAt });
    return fetched.kind === "unchanged" ? answered : fetched;
  };
}
