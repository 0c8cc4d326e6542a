import { allBut, capabilities, capabilityOf, isCapability, oneOf } from "./document-type.ts";
import { formerCapability, formerDescription } from "./former-names.ts";
import { type Complaint, core, isTopLevel, type Rule, type RuleFamily } from "./rule.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";

const withChanges = oneOf(
  "changelist",
  "changedump-manifest",
  "change-notification",
  "framework-notification",
);
const manifests = oneOf("resourcedump-manifest", "changedump-manifest");
const withoutPaths = allBut("resourcedump-manifest", "changedump-manifest");

const changes: readonly string[] = ["created", "updated", "deleted"];
const frequencies: readonly string[] = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];
const codings: readonly string[] = ["gzip", "x-gzip", "deflate", "compress", "br", "zstd", "identity"];

const mediaType =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*"))*$/;
/** `[\w-]+/[\w-]+` as XML Schema reads it: no punctuation, separators or control characters. */
const mediaTypeOfSchema = /^(?:[^\p{P}\p{Z}\p{C}]|-)+\/(?:[^\p{P}\p{Z}\p{C}]|-)+$/u;

/** A rule about one attribute that rs:md and rs:ln share: `judge` says what is wrong with its value. */
function ofAttribute(
  facts: Omit<Rule<XmlElement>, "check">,
  attribute: string,
  judge: (value: string, element: XmlElement) => string | undefined,
): Rule<XmlElement> {
  return {
    ...facts,
    check: (element) => {
      const value = attributeOf(element, attribute);
      const says = value === undefined ? undefined : judge(value, element);
      return says === undefined ? undefined : { element, attribute, says };
    },
  };
}

/** Of rs:md and rs:ln alike. */
const shared: readonly Rule<XmlElement>[] = [
  ofAttribute(
    {
      id: "V06",
      severity: "error",
      sentence: "length is a number of bytes: decimal digits only.",
      source: `${core} §7`,
    },
    "length",
    (value) =>
      /^\d+$/.test(value) ? undefined : `length="${value}" is no number of bytes; write digits only`,
  ),
  ofAttribute(
    {
      id: "V13",
      severity: "error",
      sentence: "type is a media type: a type name, a slash, a subtype name.",
      source: `${core} §7; RFC 6838`,
    },
    "type",
    (value) =>
      mediaType.test(value)
        ? undefined
        : `type="${value}" is no media type; write one such as application/pdf`,
  ),
  ofAttribute(
    {
      id: "V14",
      severity: "warning",
      sentence: "type also fits the official schema, which rejects parameters and dots.",
      source: "ResourceSync schema",
    },
    "type",
    (value) =>
      mediaType.test(value) && !mediaTypeOfSchema.test(value)
        ? `type="${value}" is legal, but readers that go by the official schema reject it`
        : undefined,
  ),
  ofAttribute(
    {
      id: "V15",
      severity: "error",
      sentence: "path begins with a slash and does not end with one.",
      source: `${core} §11.2, §13.2`,
      applies: ({ type }) => manifests(type),
    },
    "path",
    (value) =>
      /^\/.*[^/]$/.test(value) ? undefined : `path="${value}" must begin with a slash and not end with one`,
  ),
  ofAttribute(
    {
      id: "V16",
      severity: "error",
      sentence: "path stays inside the package: no . or .. segment, no backslash.",
      source: "rule of this hub",
      applies: ({ type }) => manifests(type),
    },
    "path",
    (value) =>
      /(?:^|\/)\.\.?(?:\/|$)|\\/.test(value) ? `path="${value}" could lead out of the package` : undefined,
  ),
  ofAttribute(
    {
      id: "V17",
      severity: "error",
      sentence: "path is used only in the manifests of dumps.",
      source: `${core} §7`,
      applies: ({ type }) => withoutPaths(type),
    },
    "path",
    (_, { name }) => `${name} has "path", which names a place in a dump; leave it out`,
  ),
  ofAttribute(
    {
      id: "V18",
      severity: "warning",
      sentence: "encoding is a list of content codings of HTTP.",
      source: `${core} §7; RFC 9110 §8.4.1`,
    },
    "encoding",
    (value) => {
      const unknown = value.split(",").find((coding) => !codings.includes(coding.trim().toLowerCase()));
      if (unknown === undefined) return undefined;
      return `encoding="${value}": "${unknown.trim()}" is no content coding, such as gzip; for a character set see "type"`;
    },
  ),
];

/** What a Source writes that means one of the three. */
const synonyms: readonly (readonly [pattern: RegExp, change: string])[] = [
  [/^(creat|add|insert|new)/i, "created"],
  [/^(updat|modif|chang|edit|replac)/i, "updated"],
  [/^(delet|remov|withdr)/i, "deleted"],
];

function judgeChange(value: string): string | undefined {
  if (changes.includes(value)) return undefined;
  const meant = synonyms.find(([pattern]) => pattern.test(value.trim()))?.[1];
  const advice = meant === undefined ? "write created, updated or deleted" : `write change="${meant}"`;
  return `change="${value}" is none of the three values; ${advice}`;
}

const v20 = ofAttribute(
  {
    id: "V20",
    severity: "error",
    sentence: "change is created, updated or deleted, in small letters.",
    source: `${core} §7`,
    applies: ({ type }) => withChanges(type),
  },
  "change",
  judgeChange,
);

function judgeCapability(element: XmlElement): Complaint | undefined {
  const value = attributeOf(element, "capability");
  if (value === undefined || isCapability(value)) return undefined;
  if (value === formerCapability || value === formerDescription) return undefined;
  const attribute = "capability";
  const meant = capabilities.find((known) => known === value.trim().toLowerCase());
  if (value !== value.trim()) {
    return {
      element,
      attribute,
      severity: "error",
      says: "the capability has white space around it; take it out",
    };
  }
  const advice = meant === undefined ? "" : `; it is written "${meant}"`;
  return { element, attribute, says: `the capability "${value}" is unknown${advice}` };
}

/** V01, V02, V06, V07, V13–V20: what values look like. Datetimes and hashes have families of their own. */
export const rulesOfValues: RuleFamily = {
  ofEntries: [
    {
      id: "V19",
      severity: "error",
      sentence: "changefreq is always, hourly, daily, weekly, monthly, yearly or never.",
      source: `${core} §7`,
      check: ({ changefreq }) =>
        changefreq === undefined || frequencies.includes(changefreq.text)
          ? undefined
          : {
              element: changefreq,
              says: `<changefreq> is "${changefreq.text}"; write ${frequencies.slice(0, -1).join(", ")} or never, without spaces`,
            },
    },
  ],
  ofMetadata: [
    {
      id: "V01",
      severity: "error",
      sentence: "The top-level rs:md has a capability attribute.",
      source: `${core} §7`,
      check: (element, { type }) =>
        isTopLevel(element) && attributeOf(element, "capability") === undefined
          ? {
              element,
              says: `the top-level rs:md has no "capability" attribute; write capability="${capabilityOf(type)}"`,
            }
          : undefined,
    },
    {
      id: "V02",
      severity: "warning",
      sentence: "The top-level capability is one that a specification defines, written exactly so.",
      source: `${core} §6.1, §7`,
      check: (element) => (isTopLevel(element) ? judgeCapability(element) : undefined),
    },
    ...shared,
    { ...v20, check: (element, judged) => (isTopLevel(element) ? undefined : v20.check(element, judged)) },
  ],
  ofLinks: [
    ...shared,
    ofAttribute(
      {
        id: "V07",
        severity: "error",
        sentence: "pri is an integer from 1 to 999999.",
        source: `${core} §7; RFC 6249`,
      },
      "pri",
      (value) =>
        /^0*[1-9]\d{0,5}$/.test(value) ? undefined : `pri="${value}" is no integer from 1 to 999999`,
    ),
  ],
};
