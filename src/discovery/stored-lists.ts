import { z } from "zod";
import { storedInstant } from "../log/stored-instant.ts";

const count = z.number().int().nonnegative();

export const storedClosedList = z.object({
  n: count,
  firstSequence: count,
  lastSequence: count,
  from: storedInstant,
  until: storedInstant,
  entries: count,
  bytes: count,
  digest: z.string(),
  closedAt: z.number(),
});

export const storedOpenList = z.object({
  n: count,
  firstSequence: count,
  from: storedInstant,
  mayBeginEarlier: z.boolean(),
  openedAt: z.number(),
});

/** What tells one open list from another. */
export const placeOfOpen = ({ n, firstSequence }: { n: number; firstSequence: number }): string =>
  `${n}/${firstSequence}`;
