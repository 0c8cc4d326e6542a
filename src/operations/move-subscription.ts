import type { DeadLetters } from "../delivery/dead-letters.ts";
import type { DeliveryControl } from "../delivery/delivery-control.ts";
import type { WakeUps } from "../delivery/wake-ups.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { countLetters } from "./count-letters.ts";
import { OperationRefused } from "./operation-refused.ts";
import { type Place, placeAsked, placeBefore } from "./place-asked.ts";
import type { Moved, Replayed, ReplayBody, RewindBody } from "./schemas/placing.ts";
import { sendMarked } from "./settle-letters.ts";
import type { SubscriptionRow } from "./subscription-row.ts";

export interface MovingParts {
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly control: Pick<DeliveryControl, "rewind" | "hasten">;
  readonly deadLetters: Pick<DeadLetters, "page" | "resend">;
  readonly wakeUps: Pick<WakeUps, "wake">;
}

/** Lets subscriptions go on from another place in the log, or counts what that would send. */
export function moveSubscriptions({ log, control, deadLetters, wakeUps }: MovingParts) {
  async function move(row: SubscriptionRow, { cursor, gap }: Place, dryRun: boolean): Promise<Moved> {
    const { subscription, progress, places } = row;
    const { channel, id } = subscription;
    const { oldest } = await places.bounds();
    const moved = {
      dryRun,
      from: await places.position(progress.cursor),
      to: await places.position(cursor),
      again: Math.max(0, progress.cursor - cursor),
      skipped: Math.max(0, cursor - Math.max(progress.cursor, oldest - 1)),
      gap,
    };
    if (dryRun) return moved;
    const rewound = await control.rewind(channel, id, cursor);
    if (rewound !== "rewound") {
      throw new OperationRefused(
        rewound === "no-subscription" ? "unknown" : "contradicts",
        rewound === "no-subscription"
          ? `The subscription ${id} has just ended.`
          : `The log has just let go of what follows ${moved.to}. Ask again.`,
      );
    }
    await wakeUps.wake({ channel, subscription: id });
    return moved;
  }

  async function replayMissed({ subscription }: SubscriptionRow, asked: ReplayBody): Promise<Replayed> {
    const { channel, id } = subscription;
    const { since, dryRun } = asked;
    if (dryRun) {
      const { letters, gone } = await countLetters({ log, deadLetters }, subscription, since);
      return { dryRun, notifications: letters - gone, gone, gap: false };
    }
    const { marked, gone } = await deadLetters.resend(channel, id, { since });
    await sendMarked({ control, wakeUps }, subscription);
    return { dryRun, notifications: marked - gone, gone, gap: false };
  }

  return {
    async rewind(row: SubscriptionRow, { to, dryRun }: RewindBody): Promise<Moved> {
      return await move(row, await placeAsked(log, row, to), dryRun);
    },
    async replay(row: SubscriptionRow, asked: ReplayBody): Promise<Replayed> {
      if (asked.missed) return await replayMissed(row, asked);
      const place = await placeBefore(log, row.subscription.channel, asked.since);
      // Forward would be to leave out what was not delivered yet.
      const cursor = Math.min(place.cursor, row.progress.cursor);
      if (cursor === row.progress.cursor) {
        return { dryRun: asked.dryRun, notifications: 0, gone: 0, gap: place.gap };
      }
      const { again } = await move(row, { ...place, cursor }, asked.dryRun);
      return { dryRun: asked.dryRun, notifications: again, gone: 0, gap: place.gap };
    },
  };
}
