import { z } from "zod";
import type { Instant } from "../protocol/instant.ts";
import type { EmbeddedEnvironment, EmbeddedTable } from "./embedded-environment.ts";
import type { EpochSpan, LogBounds } from "./notification-log.ts";
import { storedInstant } from "./stored-instant.ts";

/** What the log knows of a channel besides its notifications. */
export interface ChannelRow {
  readonly oldest: number;
  readonly newest: number;
  readonly lastReceivedAt: number;
  readonly lastUntil: Instant | null;
  readonly epochs: readonly EpochSpan[];
}

const sequence = z.number().int().nonnegative();

const channelRow = z.object({
  oldest: sequence,
  newest: sequence,
  lastReceivedAt: z.number(),
  lastUntil: storedInstant.nullable(),
  epochs: z.array(z.object({ epoch: z.string(), first: sequence })),
});

export const unusedChannel: ChannelRow = {
  oldest: 1,
  newest: 0,
  lastReceivedAt: 0,
  lastUntil: null,
  epochs: [],
};

/** Delivery reads here whether there is anything to deliver. */
export function channelRows(environment: EmbeddedEnvironment): EmbeddedTable<ChannelRow> {
  return environment.table("channels", channelRow);
}

/** A channel that nobody writes to keeps the names of this many openings of the store. */
const mostEmptySpans = 32;

/** The row with the present epoch as its last one, and without the spans that no held position can name. */
export function inEpoch(row: ChannelRow, epoch: string): ChannelRow {
  if (row.epochs.at(-1)?.epoch === epoch) return row;
  const spans = [...row.epochs, { epoch, first: row.newest + 1 }];
  const epochs = spans.filter((_, index) => {
    const next = spans[index + 1];
    return next === undefined || next.first - 1 >= row.oldest - 1;
  });
  return { ...row, epochs: row.newest === 0 ? epochs.slice(-mostEmptySpans) : epochs };
}

export function boundsOf({ oldest, newest, epochs }: ChannelRow): LogBounds {
  return { oldest, newest, epochs };
}
