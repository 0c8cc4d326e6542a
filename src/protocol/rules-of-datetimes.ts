import { parseInstant } from "./instant.ts";
import { type Complaint, core, type Rule, type RuleFamily } from "./rule.ts";
import type { Entry } from "./sync-document.ts";
import type { XmlElement } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

const datetimeAttributes: ReadonlySet<string> = new Set([
  "at",
  "completed",
  "from",
  "until",
  "datetime",
  "modified",
]);
const completeInUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

function whyNoDatetime(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(text)) return `has no time zone; write ${text}Z`;
  if (/^\d{4}-\d\d-\d\d \d\d:/.test(text)) return 'has a space between date and time; write "T"';
  if (/^\d{4}-\d\d-\d\d(?:t|T.*z$)/.test(text)) return 'has a small "t" or "z"; write "T" and "Z"';
  if (/[+-]\d{4}$/.test(text)) return "has a zone without a colon; write it as +01:00";
  if (completeInUtc.test(text) || /^\d{4}-\d\d-\d\d/.test(text))
    return "names a date or time that does not exist";
  return "is no W3C Datetime; write it as 2026-01-31T09:30:00Z";
}

function judgeDatetime(
  element: XmlElement,
  attribute: string | undefined,
  text: string,
): Complaint | undefined {
  if (parseInstant(text) !== undefined) return undefined;
  const name = attribute === undefined ? `<${element.name}>` : `"${attribute}"`;
  return { element, attribute, says: `${name} = "${text}" ${whyNoDatetime(text)}` };
}

function judgeCompleteness(
  element: XmlElement,
  attribute: string | undefined,
  text: string,
): Complaint | undefined {
  if (completeInUtc.test(text) || parseInstant(text) === undefined) return undefined;
  const name = attribute === undefined ? `<${element.name}>` : `"${attribute}"`;
  const says = `${name} = "${text}" is legal, but read wrongly by some; send a complete time in UTC, such as 2026-01-31T09:30:00Z`;
  return { element, attribute, says };
}

type DatetimeJudge = typeof judgeDatetime;

const ofEntryDatetimes =
  (judge: DatetimeJudge) =>
  ({ lastmod }: Entry): Complaint | undefined =>
    lastmod === undefined ? undefined : judge(lastmod, undefined, trimmed(lastmod.text));

const ofDatetimeAttributes =
  (judge: DatetimeJudge) =>
  (element: XmlElement): Complaint[] | undefined => {
    let complaints: Complaint[] | undefined;
    for (const { name, value } of element.attributes) {
      if (!datetimeAttributes.has(name)) continue;
      const complaint = judge(element, name, value);
      if (complaint !== undefined) (complaints ??= []).push(complaint);
    }
    return complaints;
  };

const v04 = {
  id: "V04",
  severity: "error",
  sentence:
    "at, completed, from, until, datetime, modified and lastmod are W3C Datetimes, with a zone wherever there is a time.",
  source: `${core} §7; W3C NOTE-datetime`,
} as const;

const v05 = {
  id: "V05",
  severity: "warning",
  sentence: "Datetimes are complete and in UTC: YYYY-MM-DDThh:mm:ssZ, with a fraction if wanted.",
  source: `${core} §7; ResourceSync schema`,
} as const;

const ofAttributes: readonly Rule<XmlElement>[] = [
  { ...v04, check: ofDatetimeAttributes(judgeDatetime) },
  { ...v05, check: ofDatetimeAttributes(judgeCompleteness) },
];

/** V04, V05: how datetimes are written. */
export const rulesOfDatetimes: RuleFamily = {
  ofEntries: [
    { ...v04, check: ofEntryDatetimes(judgeDatetime) },
    { ...v05, check: ofEntryDatetimes(judgeCompleteness) },
  ],
  ofMetadata: ofAttributes,
  ofLinks: ofAttributes,
};
