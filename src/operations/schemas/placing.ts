import { z } from "zod";
import { count, dryRun, position, since } from "./values.ts";

const place = z
  .string()
  .min(1)
  .max(100)
  .describe("`earliest`, `latest`, a position (what follows it is sent), or a W3C datetime");

export const rewindBody = z.strictObject({ to: place, dryRun });

export const moved = z.object({
  dryRun: z.boolean(),
  from: position,
  to: position,
  again: count.describe("notifications that are sent again"),
  skipped: count.describe("notifications that are not sent"),
  gap: z.boolean().describe("whether the log no longer holds all that was asked for"),
});

export const replayBody = z.strictObject({
  since,
  missed: z.boolean().default(false).describe("only what was given up (dead letters)"),
  dryRun,
});

export const replayed = z.object({
  dryRun: z.boolean(),
  notifications: count.describe("that are sent again"),
  gone: count.describe("that cannot be sent, because the log no longer holds them"),
  gap: z.boolean().describe("whether the log no longer holds all since then"),
});

export type RewindBody = z.output<typeof rewindBody>;
export type Moved = z.output<typeof moved>;
export type ReplayBody = z.output<typeof replayBody>;
export type Replayed = z.output<typeof replayed>;
