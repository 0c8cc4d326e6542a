import type { z } from "zod";
import { type Fault, type Given, keyOf, type Path, type Place, valueAt } from "./given.ts";
import { suggestKey } from "./known-keys.ts";
import { type Settings, settingsSchema } from "./schema.ts";

type Checked =
  | { readonly kind: "good"; readonly settings: Settings }
  | { readonly kind: "faulty"; readonly faults: readonly Fault[] };

/** Checks everything at once: whoever mends the file sees every fault of it. */
export function checkSettings(given: Given): Checked {
  const result = settingsSchema.safeParse(given.values);
  const issues = result.success ? [] : result.error.issues;
  const faults = [...issues.flatMap((issue) => faultsOf(issue, given)), ...unknownSets(given)];
  if (result.success && faults.length === 0) return { kind: "good", settings: result.data };
  return { kind: "faulty", faults };
}

function faultAt(given: Given, path: Path, message: string): Fault {
  const place = given.placeOf(path);
  return place.line === undefined ? { place, message } : { place, key: keyOf(path), message };
}

function faultsOf(issue: z.core.$ZodIssue, given: Given): readonly Fault[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => {
      const full = [...path, key];
      return faultAt(given, full, `unknown key${suggestKey(full)}`);
    });
  const expected = expectedBy(issue);
  if (expected === undefined) return [faultAt(given, path, issue.message)];
  return [faultAt(given, path, `${found(given, path)}; expected ${expected}`)];
}

/** `undefined` where the message of the issue is a whole sentence. */
function expectedBy(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === "invalid_type")
    return issue.expected === "array" ? "a list" : "keys with values (`key: value`)";
  if (issue.code === "too_small") return "a list of at least one entry";
  return issue.code === "invalid_union" || (issue.code === "custom" && issue.params !== undefined)
    ? issue.message
    : undefined;
}

const secretKeys = /^(token|tokenSha256|redis)$/;

const mayBeShown = ({ source }: Place, path: Path): boolean =>
  !secretKeys.test(String(path.at(-1))) && !source.endsWith("_TOKEN");

/** A secret in the wrong place is not repeated on a screen or in a log. */
function found(given: Given, path: Path): string {
  const value = valueAt(given.values, path);
  if (value === undefined) return "missing";
  if (value === null) return "nothing stands here";
  if (!mayBeShown(given.placeOf(path), path))
    return "something else stands here (not shown, it may be a secret)";
  if (Array.isArray(value) && value.length === 0) return "an empty list stands here";
  if (typeof value === "object") return `${Array.isArray(value) ? "a list" : "a block of keys"} stands here`;
  const text = JSON.stringify(value);
  return `${text.length > 80 ? `${text.slice(0, 80)}…` : text} stands here`;
}

/** Looks at two sections at once, and so only where both are good in themselves. */
function unknownSets(given: Given): readonly Fault[] {
  const sets = settingsSchema.shape.sets.safeParse(valueAt(given.values, ["sets"]));
  if (!sets.success) return [];
  const ids = sets.data.map(({ id }) => id);
  return (["publishers", "subscribers"] as const).flatMap((key) => {
    const holders = settingsSchema.shape[key].safeParse(valueAt(given.values, [key]) ?? []);
    return (holders.data ?? []).flatMap((holder, index) =>
      (holder.sets === "all" ? [] : holder.sets).flatMap((id, entry) =>
        ids.includes(id)
          ? []
          : [
              faultAt(
                given,
                [key, index, "sets", entry],
                `no set has the id "${id}"; the sets are ${ids.join(", ")}`,
              ),
            ],
      ),
    );
  });
}
