import type { Delivery } from "../delivery/delivery.ts";
import type { Watching } from "../watching/start-watching.ts";
import type { ListedOrigin, ListedWatch } from "./schemas/observed.ts";
import { textOf } from "./subscription-row.ts";

export interface ObservedParts {
  readonly delivery: Pick<Delivery, "origins">;
  readonly watching: Pick<Watching, "watched">;
}

const textIfAny = (milliseconds: number | null | undefined): string | undefined =>
  typeof milliseconds === "number" ? textOf(milliseconds) : undefined;

/** What the hub sees of others: the servers of callbacks, and the Sources that it looks at. */
export function observe({ delivery, watching }: ObservedParts) {
  return {
    /** Those that are not well come first. */
    origins(): readonly ListedOrigin[] {
      return delivery
        .origins()
        .map((view) => ({ ...view, since: textOf(view.since), until: textIfAny(view.until) }))
        .toSorted(
          (a, b) =>
            Number(a.state === "closed") - Number(b.state === "closed") || (a.origin < b.origin ? -1 : 1),
        );
    },
    async watched(): Promise<readonly ListedWatch[]> {
      return (await watching.watched()).map(({ set, url, schedule }) => ({
        set,
        url,
        lastLookedAt: textIfAny(schedule?.lastLookedAt),
        nextLookAt: textIfAny(schedule?.nextLookAt),
        lastChangeAt: textIfAny(schedule?.lastChangeAt),
        intervalSeconds: schedule === undefined ? undefined : schedule.interval / 1000,
        failing: schedule?.failing ?? undefined,
      }));
    },
  };
}
