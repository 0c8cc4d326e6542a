import { z } from "zod";
import { keyOf, type Path } from "./given.ts";
import { nearest } from "../protocol/nearest-name.ts";
import { settingsSchema } from "./schema.ts";

type JsonSchema = Pick<z.core.JSONSchema.BaseSchema, "properties" | "items" | "anyOf">;

/** Every key that can stand in hub.yaml, as in `sets[].capabilities.changelist`. */
export function knownKeys(): readonly string[] {
  return keysBelow(z.toJSONSchema(settingsSchema, { io: "input", unrepresentable: "any" }), "");
}

function keysBelow(schema: JsonSchema, at: string): readonly string[] {
  const { properties = {}, items } = schema;
  const named = Object.entries(properties).flatMap(([name, below]) => {
    const key = at === "" ? name : `${at}.${name}`;
    return [key, ...(typeof below === "boolean" ? [] : keysBelow(below, key))];
  });
  const listed = typeof items === "object" && !Array.isArray(items) ? keysBelow(items, `${at}[]`) : [];
  return [...named, ...listed];
}

/** Ends the sentence about an unknown key with what was probably meant: a neighbour, or the same name elsewhere. */
export function suggestKey(path: Path): string {
  const parent = keyOf(path.slice(0, -1)).replaceAll(/\[\d+\]/g, "[]");
  const typed = String(path.at(-1));
  const start = parent === "" ? "" : `${parent}.`;
  const keys = knownKeys();
  const neighbours = keys
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length))
    .filter((name) => !/[.[]/.test(name));
  const meant = nearest(typed, neighbours) ?? uppermost(keys.filter((key) => key.endsWith(`.${typed}`)));
  return meant === undefined ? `; known here: ${neighbours.join(", ")}` : `; did you mean "${meant}"?`;
}

/** The one that is nested least; `undefined` where there are several. */
function uppermost(keys: readonly string[]): string | undefined {
  const depth = (key: string): number => key.split(".").length;
  const [first, second] = keys.toSorted((a, b) => depth(a) - depth(b));
  return first !== undefined && (second === undefined || depth(first) < depth(second)) ? first : undefined;
}
