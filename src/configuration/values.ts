import { isIP } from "node:net";
import { z } from "zod";
import { parseCallbackPattern } from "../protocol/callback-pattern.ts";
import { parseHttpUrl } from "../protocol/http-url.ts";
import { parseDuration, parseSize } from "./units.ts";

/** One value, read from what stands in a source; `expected` ends the sentence "…; expected" where it cannot be read. */
export function value<Output>(expected: string, read: (found: unknown) => Output | undefined) {
  return z.unknown().transform((found, context): Output => {
    const output = read(found);
    if (output !== undefined) return output;
    context.addIssue({ code: "custom", message: expected, params: { expected } });
    return z.NEVER;
  });
}

/** Text that has a form of its own. */
export function text<Output = string>(expected: string, read: (found: string) => Output | undefined) {
  return value(expected, (found) => (typeof found === "string" ? read(found) : undefined));
}

export const matching = (shape: RegExp) => (found: string) => (shape.test(found) ? found : undefined);

export function oneOf<const Choice extends string>(choices: readonly Choice[]) {
  const expected = choices.map((choice) => (/^[\d.]+$/.test(choice) ? `"${choice}"` : choice));
  return value(`${expected.slice(0, -1).join(", ")} or ${expected.at(-1)}`, (found) =>
    choices.find((choice) => choice === found),
  );
}

export const onOrOff = value("true or false", (found) => (typeof found === "boolean" ? found : undefined));

export function wholeNumber(from: number, to: number) {
  return value(`a whole number from ${from} to ${to}`, (found) =>
    typeof found === "number" && Number.isInteger(found) && found >= from && found <= to ? found : undefined,
  );
}

const within = (least: number | undefined, number: number | undefined, most: number | undefined) =>
  number !== undefined && number >= (least ?? 0) && number <= (most ?? 0) ? number : undefined;

/** Milliseconds. */
export function duration(from: string, to: string) {
  return text(`a duration from ${from} to ${to} with its unit, such as 500ms, 10s, 5m, 72h or 30d`, (found) =>
    within(parseDuration(from), parseDuration(found), parseDuration(to)),
  );
}

/** Whole seconds. */
export function seconds(from: string, to: string) {
  return duration(from, to).transform((milliseconds) => Math.ceil(milliseconds / 1000));
}

/** Bytes. */
export function size(from: string, to: string) {
  return text(`a size from ${from} to ${to} with its unit, such as 64kB or 2MB`, (found) =>
    within(parseSize(from), parseSize(found), parseSize(to)),
  );
}

function webUrl(found: string): string | undefined {
  const parsed = parseHttpUrl(found);
  return "fault" in parsed || parsed.hasFragment ? undefined : found;
}

export const httpUrl = text("an http:// or https:// URL", webUrl);

/** Without the slash at its end, so that paths can be put behind it. */
export const baseUrl = text(
  "an http:// or https:// URL without query, such as https://hub.example.org",
  (found) =>
    webUrl(found) === undefined || found.includes("?") ? undefined : new URL(found).href.replace(/\/+$/, ""),
);

/** A URL in which `*`, behind the host, stands for anything. */
export const urlPattern = text("an http:// or https:// URL, with * after the host for anything", (found) =>
  webUrl(found) !== undefined && !new URL(found).host.includes("*") ? found : undefined,
);

/** A URL in which `*` may also stand for the host, or for the beginning of its name. */
export const callbackPattern = text(
  "an http:// or https:// URL, with * for anything in its path, as its host, or as *. before its host",
  (found) => (parseCallbackPattern(found) === undefined ? undefined : found),
);

/**
 * An address, or a range as address/prefix length (RFC 4632, RFC 4291 §2.3). Stricter than the address guard, which reads
 * `10` as 0.0.0.10.
 */
export const addressRange = text("an IP address or a range such as 10.1.0.0/16 or fd00::/8", (found) => {
  const [, address = "", length] = /^([\d.]+|[\dA-Fa-f:.]+)(?:\/(\d{1,3}))?$/.exec(found) ?? [];
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  return bits === undefined || Number(length ?? 0) > bits ? undefined : found;
});
