import { z } from "zod";

const node = z.looseObject({
  $ref: z.string().optional(),
  type: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  minimum: z.number().optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
});

const typeOf = (value: unknown): string => {
  if (Array.isArray(value)) return "array";
  if (value === null) return "null";
  if (typeof value === "number" && Number.isInteger(value)) return "integer";
  return typeof value;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value) === "object";

/** Where a value contradicts a JSON Schema, as far as the hub's OpenAPI document uses it. `resolve` follows a `$ref`. */
export function contradictions(
  value: unknown,
  schema: unknown,
  resolve: (reference: string) => unknown,
  at = "$",
): string[] {
  const { $ref, ...rest } = node.parse(schema);
  if ($ref !== undefined) return contradictions(value, resolve($ref), resolve, at);
  const { type, anyOf, properties = {}, required = [], additionalProperties, items } = rest;
  if (anyOf !== undefined) {
    const each = anyOf.map((one) => contradictions(value, one, resolve, at));
    return each.some((faults) => faults.length === 0) ? [] : (each[0] ?? []);
  }
  const found = typeOf(value);
  if (type !== undefined && found !== type && !(type === "number" && found === "integer")) {
    return [`${at} is ${found}, not ${type}`];
  }
  const wrong = wrongValue(value, rest);
  if (wrong !== undefined) return [`${at} ${wrong}`];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => contradictions(item, items ?? {}, resolve, `${at}[${index}]`));
  }
  if (!isObject(value)) return [];
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${at} has no ${name}`),
    ...Object.entries(value).flatMap(([name, item]) => {
      const below = properties[name] ?? additionalProperties;
      if (below === false) return [`${at}.${name} is not described`];
      return isObject(below) ? contradictions(item, below, resolve, `${at}.${name}`) : [];
    }),
  ];
}

function wrongValue(
  value: unknown,
  { enum: allowed, minimum = -Infinity, pattern, format }: z.output<typeof node>,
): string | undefined {
  if (allowed !== undefined && !allowed.includes(value)) return `is none of ${allowed.join()}`;
  if (typeof value === "number" && value < minimum) return "is too small";
  if (typeof value !== "string") return undefined;
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) return `does not match ${pattern}`;
  if (format === "date-time" && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value))
    return "is no datetime";
  if (format === "uri" && !URL.canParse(value)) return "is no URL";
  return undefined;
}
