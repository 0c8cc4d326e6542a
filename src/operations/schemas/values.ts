import { z } from "zod";
import { millisecondsOf, parseInstant } from "../../protocol/instant.ts";

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

export const note = z
  .string()
  .max(500)
  .regex(/^\P{Cc}*$/u, "expected one line without control characters");

/** In a query, where everything is text. */
export const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true");

/** A W3C datetime in a request; milliseconds since 1970 inside. */
export const since = z
  .string()
  .max(40)
  .transform((text, context) => {
    const instant = parseInstant(text);
    if (instant !== undefined) return millisecondsOf(instant);
    context.addIssue("expected a W3C datetime such as 2026-01-03T00:00:00Z");
    return z.NEVER;
  })
  .describe("a W3C datetime");

export const dryRun = z.boolean().default(false).describe("only count");

/** What the last attempt of a notification came to. */
export const attempt = z.object({
  at: datetime,
  milliseconds: count,
  status: z.int().optional().describe("absent where no answer came"),
  reason: z.string().describe("why it failed, in words; empty after a success"),
  answer: z.string().optional().describe("the beginning of what the callback answered"),
});
