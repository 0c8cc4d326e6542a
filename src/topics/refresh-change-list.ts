import type { SetId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import type { FetchedChangeList, TakeChangeList } from "../watching/change-list-intake.ts";
import { answered, type FetchOutcome } from "./fetch-outcome.ts";
import type { FetchTopic } from "./fetch-topic.ts";
import { changeListsOf } from "./fetch-targets.ts";

/** An index is read in rounds; a claim does not last for more of them. */
const maxRounds = 20;

/** Has the changes of a list taken, whose index is read in several rounds. */
export async function takeWhole(take: TakeChangeList, list: FetchedChangeList): Promise<FetchOutcome> {
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
  return async (set: SetId, url: string): Promise<FetchOutcome> => {
    // The configuration may have changed since the ping.
    if (!changeListsOf(channels.sets).some((list) => list.set === set && list.url === url)) return answered;
    const fetchedAt = now();
    const fetched = await fetch(url, null);
    if (fetched.kind === "content") return await takeWhole(take, { set, url, body: fetched.body, fetchedAt });
    return fetched.kind === "unchanged" ? answered : fetched;
  };
}
