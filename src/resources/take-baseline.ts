import type { ChannelId } from "../channels/channel.ts";
import { sequenceBefore } from "../log/find-by-time.ts";
import { newEpoch } from "../log/new-epoch.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { positionAt } from "../log/place-in-log.ts";
import { formatInstant, type Instant, instantAt, millisecondsOf } from "../protocol/instant.ts";
import { type BaselineOutcome, NotTaken, unusable } from "./baseline-outcome.ts";
import type { FetchedList } from "./fetch-list.ts";
import { type Import, importLists, type Snapshot } from "./import-lists.ts";
import type { ResourceState } from "./resource-state.ts";
import type { ResourceStore } from "./resource-store.ts";

/** A baseline may take so long; what was begun earlier and is not in use was left by a process that died. Milliseconds. */
export const baselineWithin = 15 * 60_000;
/** Clocks differ. What is folded although the baseline has it already changes nothing, so the margin can be wide. */
const clockMargin = 3_600_000;

interface Parts {
  readonly store: ResourceStore;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly fetch: (url: string) => Promise<FetchedList>;
  readonly maxBytes: number;
  readonly now: () => number;
  /** Then a baseline that is still arriving is given up. */
  readonly stopping: AbortSignal;
}

/** Takes a baseline from the Source: all of it or, where anything is wrong with it, nothing. */
export function takeBaseline(parts: Parts) {
  const { store, log, now } = parts;
  const importAll = importLists(parts);

  /** Where folding begins; throws where the log does not reach back to the baseline. */
  async function placeInLog(channel: ChannelId, at: Instant): Promise<number> {
    const { oldest } = await log.bounds(channel);
    const before = await sequenceBefore(log, channel, millisecondsOf(at));
    if (oldest > 1 && before < oldest) {
      throw unusable(
        `The list says at="${formatInstant(at)}", and the hub's log of this set no longer reaches back so far: changes between the two would be missing. Send a newer Resource List.`,
      );
    }
    return await sequenceBefore(log, channel, millisecondsOf(at) - clockMargin);
  }

  async function putInForce(into: Import, { at, completed }: Snapshot, cursor: number): Promise<void> {
    const { channel, edition, resources } = into;
    const received = instantAt(now());
    for (;;) {
      const head = await store.head(channel);
      const state: ResourceState = {
        generation: edition,
        baselineAt: at,
        cursor,
        coveredUntil: at,
        // A Source that does not say when its snapshot was complete had completed it when it was here.
        knownUntil: completed ?? (received > at ? received : at),
        written: head?.state.written ?? null,
        earlier: head?.state.earlier ?? null,
        writingUntil: 0,
      };
      if (await store.replace(channel, head?.revision ?? 0, state, resources)) return;
    }
  }

  return async (
    channel: ChannelId,
    pieces: AsyncIterable<Uint8Array>,
    document?: string,
  ): Promise<BaselineOutcome> => {
    const begunAt = now();
    const endsAt = begunAt + baselineWithin;
    const into: Import = { channel, edition: newEpoch(), endsAt, resources: 0, warnings: [] };
    await store.begin(channel, into.edition, begunAt);
    try {
      const snapshot = await importAll(into, pieces, document);
      const cursor = await placeInLog(channel, snapshot.at);
      await putInForce(into, snapshot, cursor);
      const position = positionAt(await log.bounds(channel), cursor);
      return {
        kind: "taken",
        resources: into.resources,
        position,
        warnings: into.warnings.slice(0, 100),
      };
    } catch (error) {
      if (error instanceof NotTaken) return error.outcome;
      throw error;
    }
  };
}
