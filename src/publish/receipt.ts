import { z } from "zod";
import type { Fault } from "../protocol/fault.ts";

const faultSchema = z.object({
  rule: z.string(),
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  line: z.number(),
  column: z.number(),
  path: z.string(),
});

const receiptSchema = z.object({ changes: z.number(), warnings: z.array(faultSchema) });

/** What the publisher was told about the document, kept with it, so that a repeat gets the first answer. */
export interface Receipt {
  readonly changes: number;
  readonly warnings: readonly Fault[];
}

export function writeReceipt(receipt: Receipt): string {
  return JSON.stringify(receipt);
}

/** Throws where the text is no receipt: the store holds what this hub did not write. */
export function readReceipt(text: string): Receipt {
  return receiptSchema.parse(JSON.parse(text));
}
