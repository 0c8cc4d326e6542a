import { z } from "zod";

/** In answers: always UTC. */
export const datetime = z.string().meta({ format: "date-time" });

export const position = z.string().describe("a place in the channel's log, epoch-sequence");

/** Whole, from 0. */
export const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

export const idParams = z.strictObject({ id: z.string().min(1).max(100) });

/** At most this many in one page. */
const maxPage = 500;

/** Of each list that is given in pages. */
export const paging = {
  limit: z.coerce
    .number<number>()
    .int()
    .min(1)
    .max(maxPage)
    .default(100)
    .describe("at most so many in one page"),
  after: z.string().min(1).max(400).optional().describe("from `next` of the page before"),
};

/** URL of the page after this one. A page can be short, or empty, and yet have one: follow it to its end. */
export const next = z.url().optional().describe("the next page; absent in the last one");
