import type { Branded } from "./branded.ts";
import { copiedText } from "./copied-text.ts";

/**
 * A point in time, exact to any number of fraction digits. As text: seconds since `zero`, twelve digits, then the
 * fraction without trailing zeros. So plain string comparison is comparison in time, here and in every store.
 */
export type Instant = Branded<string, "Instant">;

/** Seconds from the text's zero to 1970: keeps every instant of the years 0000 to 9999, at any offset, positive. */
const zero = 100_000_000_000;

const shape =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:\d{2}))?)?)?$/;

function instantOf(seconds: number, fraction: string): Instant {
  const digits = fraction.replace(/0+$/, "");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes instants
  return `${String(seconds + zero).padStart(12, "0")}${digits === "" ? "" : `.${digits}`}` as Instant;
}

function offsetSeconds(zone: string): number | undefined {
  if (zone === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/**
 * Days of the proleptic Gregorian calendar; `undefined` where the date does not exist. Counted in eras of 400 years that begin
 * in March, so that the leap day ends its year. A Date would cost most of what reading a datetime costs.
 */
function daysSince1970(year: number, month: number, day: number): number | undefined {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const length = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (month < 1 || month > 12 || day < 1 || day > length) return undefined;
  const marchYear = month > 2 ? year : year - 1;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Several rules ask about the same few datetimes of a document in turn. */
const recent = new Map<string, Instant>();
const maxRecent = 256;

/**
 * Reads a W3C Datetime (core 1.1 §7): a year, a month, a day, or a full date and time with a zone. Shorter forms stand
 * for their first instant in UTC. `undefined` where the text is none, or names a date that does not exist.
 */
export function parseInstant(text: string): Instant | undefined {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const instant = readInstant(text);
  // A text that is none may be of any length: it is not kept.
  if (instant !== undefined) {
    if (recent.size >= maxRecent) recent.clear();
    recent.set(copiedText(text), instant);
  }
  return instant;
}

function readInstant(text: string): Instant | undefined {
  const match = shape.exec(text);
  if (match === null) return undefined;
  const [
    ,
    year = "",
    month = "01",
    day = "01",
    hour = "00",
    minute = "00",
    second = "00",
    fraction = "",
    zone = "Z",
  ] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const days = daysSince1970(Number(year), Number(month), Number(day));
  if (days === undefined) return undefined;
  const offset = offsetSeconds(zone);
  if (offset === undefined) return undefined;
  const seconds = days * 86_400 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return instantOf(seconds, fraction);
}

/** `milliseconds` since 1970, as `Date.now()` gives them. */
export function instantAt(milliseconds: number): Instant {
  const seconds = Math.floor(milliseconds / 1000);
  return instantOf(seconds, String(milliseconds - seconds * 1000).padStart(3, "0"));
}

/** The later of the two. */
export function later(one: Instant, other: Instant): Instant {
  return one > other ? one : other;
}

/** Milliseconds since 1970; what is finer is cut off. */
export function millisecondsOf(instant: Instant): number {
  const [seconds = "", fraction = ""] = instant.split(".");
  return (Number(seconds) - zero) * 1000 + Number(fraction.slice(0, 3).padEnd(3, "0"));
}

/** Neighbouring entries mostly happened at the same time. */
let formatted: { readonly instant: Instant; readonly text: string } | undefined;

/** The instant as a complete W3C Datetime in UTC, with every digit of its fraction. */
export function formatInstant(instant: Instant): string {
  if (formatted?.instant !== instant) formatted = { instant, text: writeInstant(instant) };
  return formatted.text;
}

function writeInstant(instant: Instant): string {
  const [seconds = "", fraction = ""] = instant.split(".");
  const whole = new Date((Number(seconds) - zero) * 1000).toISOString().replace(/\.000Z$/, "");
  return `${whole}${fraction === "" ? "" : `.${fraction}`}Z`;
}
