import { z } from "zod";
import type { Instant } from "../protocol/instant.ts";

/** An instant of our own, as it was put. */
export const storedInstant = z.custom<Instant>((value) => typeof value === "string" && value !== "");
