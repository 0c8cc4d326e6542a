import { z } from "zod";

const fault = z.object({
  rule: z.string(),
  severity: z.string(),
  line: z.number(),
  message: z.string(),
  path: z.string(),
});

const accepted = z.strictObject({
  position: z.string(),
  changes: z.number(),
  warnings: z.array(fault.loose()),
});
const refused = z.object({
  status: z.number(),
  title: z.string(),
  detail: z.string(),
  faults: z.array(fault).default([]),
});

/** What a publisher gets back for a notification that was taken. */
export async function acceptance(response: Response) {
  return accepted.parse(await response.json());
}

/** Problem details of a refusal (RFC 9457). */
export async function problem(response: Response) {
  return refused.parse(await response.json());
}
