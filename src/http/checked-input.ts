import { z } from "zod";
import { nearest } from "../protocol/nearest-name.ts";
import { RequestError } from "./problem.ts";

/** What a request gave, as the schema says it; throws an answer that names every fault with its place. */
export function checkedInput<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  where: "query parameter" | "key",
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const faults = error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => `The ${where} ${key.slice(0, 60)} is not known${suggestion(schema, key)}.`)
      : [describe(issue, where)],
  );
  throw new RequestError(400, faults.join(" "));
}

function describe({ path, message }: z.core.$ZodIssue, where: string): string {
  if (path.length === 0) return `The body is not what is taken here: ${message}.`;
  return `The ${where} ${path.join(".")} cannot be used: ${message}.`;
}

function suggestion(schema: z.ZodType, key: string): string {
  const known = Object.keys(z.toJSONSchema(schema, { io: "input" }).properties ?? {});
  if (known.length === 0) return "; nothing is taken here";
  const meant = nearest(key.slice(0, 60), known);
  return meant === undefined ? `; known are ${known.join(", ")}` : `; ${meant} is`;
}
