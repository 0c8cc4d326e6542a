import { z } from "zod";
import type { Instant } from "../protocol/instant.ts";

/** An instant of our own, as it was put. */
const instant = z.custom<Instant>((value) => typeof value === "string");
const count = z.number().int().nonnegative();

const writtenLists = z.object({
  /** Where the blocks of these lists are. */
  edition: z.string(),
  /** The baseline and the place in the log that they were written from. */
  generation: z.string(),
  cursor: count,
  at: instant,
  completed: instant,
  /** Milliseconds since 1970. */
  writtenAt: z.number(),
  /** The number of the first list in URLs; those of the next snapshot go on from the last. */
  first: count,
  lists: z.array(z.object({ resources: count, blocks: count, bytes: count })).readonly(),
});

export const resourceState = z.object({
  /** The edition that holds the baseline with what was folded into it. */
  generation: z.string(),
  /** The baseline's own. */
  baselineAt: instant,
  /** Everything up to this sequence number of the change channel has been folded in. */
  cursor: count,
  /** Every change up to this instant is known: the baseline's `at`, moved on by adjoining intervals. */
  coveredUntil: instant,
  /** No change after this instant is known. */
  knownUntil: instant,
  /** The snapshot that is served, and the one before it, which somebody may still be reading. */
  written: writtenLists.nullable(),
  earlier: writtenLists.nullable(),
  /** Milliseconds since 1970: until then nobody folds, since a process is writing a snapshot. */
  writingUntil: z.number(),
});

/** What is known of a set's Resource List besides the resources. */
export type ResourceState = Readonly<z.infer<typeof resourceState>>;

/** One snapshot, as lists that are ready to be sent, compressed with gzip. */
export type WrittenLists = Readonly<z.infer<typeof writtenLists>>;

/** The editions that are in use. */
export function editionsOf({ generation, written, earlier }: ResourceState): readonly string[] {
  return [generation, written?.edition, earlier?.edition].filter((edition) => edition !== undefined);
}
