import { z } from "zod";

const faultSchema = z.object({
  rule: z.string(),
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  line: z.number(),
  column: z.number(),
  path: z.string(),
});

/** What a hub finds wrong in a document, or worth a warning: where, and by which rule. */
export type ReportedFault = Readonly<z.output<typeof faultSchema>>;

const problemSchema = z.object({
  title: z.string().default(""),
  detail: z.string().default(""),
  faults: z.array(faultSchema).default([]),
});

/** Problem details (RFC 9457), as far as this hub gives them. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly faults: readonly ReportedFault[];
}

const acceptedSchema = z.object({
  position: z.string(),
  changes: z.number(),
  warnings: z.array(faultSchema),
});

/** What a hub answers to a notification that it took. */
export type Acceptance = Readonly<z.output<typeof acceptedSchema>>;

export function parseAcceptance(body: string): Acceptance | undefined {
  return acceptedSchema.safeParse(jsonOf(body)).data;
}

/** A body that is no problem, from a proxy perhaps, is its own detail. */
export function parseProblem(status: number, body: string): Problem {
  const parsed = problemSchema.safeParse(jsonOf(body));
  const { title, detail, faults } = parsed.data ?? {
    title: "",
    detail: body.trim().slice(0, 500),
    faults: [],
  };
  return { status, title, detail, faults };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
