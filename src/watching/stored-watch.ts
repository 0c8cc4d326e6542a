import { z } from "zod";
import { storedInstant } from "../log/stored-instant.ts";

const storedDocument = z.object({
  url: z.string(),
  etag: z.string().exactOptional(),
  lastModified: z.string().exactOptional(),
});

export const storedMark = z.object({
  url: z.string(),
  since: storedInstant,
  reached: storedInstant,
  floor: z.number(),
  readAt: z.number(),
  documents: z.array(storedDocument).readonly(),
});

export const storedSchedule = z.object({
  url: z.string(),
  lastLookedAt: z.number(),
  nextLookAt: z.number(),
  lastChangeAt: z.number().nullable(),
  interval: z.number(),
  failing: z.string().nullable(),
});

/** Besides its payload and its digests, which are bytes. */
export const storedPending = z.object({ key: z.string(), after: z.number(), reached: storedInstant });
