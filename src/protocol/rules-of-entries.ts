import { judgeAbsoluteUri } from "./absolute-uri.ts";
import { allBut } from "./document-type.ts";
import { type Complaint, core, type Standing, type Rule, type RuleFamily } from "./rule.ts";
import type { Entry } from "./sync-document.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

/** More cannot be relied upon; exactly as many is left open by the protocols. */
const maxLocLength = 2048;

const withoutChanges = allBut(
  "changelist",
  "changedump-manifest",
  "change-notification",
  "framework-notification",
);
const withoutChangefreq = allBut(
  "resourcelist",
  "resourcedump-manifest",
  "changelist",
  "changedump-manifest",
);
const withoutCapabilities = allBut(
  "capabilitylist",
  "capabilitylist index",
  "description",
  "description index",
  "framework-notification",
);

const ranks: ReadonlyMap<string, number> = new Map([
  ["loc", 1],
  ["lastmod", 2],
  ["changefreq", 3],
  ["priority", 4],
]);
const rankOf = ({ vocabulary, local }: XmlElement): number | undefined =>
  vocabulary === "resourcesync" ? 5 : vocabulary === "sitemap" ? ranks.get(local) : undefined;

/** The first element that stands after one that it should precede. */
function outOfOrder({ element }: Entry): Complaint | undefined {
  let highest = 0;
  for (const child of element.children) {
    const rank = rankOf(child);
    if (rank === undefined) continue;
    if (rank < highest) {
      const says = `<${child.name}> stands too late; the order is loc, lastmod, changefreq, priority, then rs:md and rs:ln`;
      return { element: child, says };
    }
    highest = rank;
  }
  return undefined;
}

/** Complaints about second elements of a kind that an entry has once. */
function repeated({ surplus }: Entry, ...locals: readonly string[]): Complaint[] | undefined {
  if (surplus.length === 0) return undefined;
  return surplus
    .filter(({ local }) => locals.includes(local))
    .map((element) => ({ element, says: `a second <${element.name}>; an entry has at most one` }));
}

const isPriority = (text: string): boolean => /^\+?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) && Number(text) <= 1;

function attributeOnlyIn(
  id: string,
  attribute: string,
  where: string,
  applies: (standing: Standing) => boolean,
): Rule<Entry> {
  return {
    id,
    severity: "warning",
    sentence: `The ${attribute} attribute on an entry is used only in ${where}.`,
    source: `${core} §7`,
    applies,
    check: ({ md }, { type }) =>
      md === undefined || attributeOf(md, attribute) === undefined
        ? undefined
        : {
            element: md,
            attribute,
            says: `rs:md has "${attribute}", which means nothing in a ${type}; it is for ${where}`,
          },
  };
}

/** C09–C12, C14–C20: a url or sitemap and what it holds. */
export const rulesOfEntries: RuleFamily = {
  ofEntries: [
    {
      id: "C09",
      severity: "error",
      sentence: "Each url or sitemap has exactly one non-empty loc.",
      source: `${core} §7`,
      check: (entry) => {
        const { element, loc } = entry;
        if (loc === undefined) return { element, says: "no <loc>; say which resource this is about" };
        if (loc.text === "") return { element: loc, says: "<loc> is empty; write the URI of the resource" };
        return repeated(entry, "loc");
      },
    },
    {
      id: "C10",
      severity: "error",
      sentence: "loc is an absolute URI, percent-encoded where needed.",
      source: `${core} §7; RFC 3986`,
      check: ({ loc }) => {
        if (loc === undefined || loc.text === "") return undefined; // C09
        const { fault, isIri } = judgeAbsoluteUri(trimmed(loc.text));
        if (fault !== undefined) return { element: loc, says: `<loc> ${fault}` };
        const says = "<loc> has characters beyond ASCII; percent-encode their UTF-8 bytes";
        return isIri ? { element: loc, severity: "warning", says } : undefined;
      },
    },
    {
      id: "C11",
      severity: "error",
      sentence: `loc has at most ${maxLocLength.toLocaleString("en")} characters.`,
      source: "sitemap 0.9 schema",
      check: ({ loc }) => {
        const length = loc === undefined ? 0 : trimmed(loc.text).length;
        if (loc === undefined || length <= maxLocLength) return undefined;
        return { element: loc, says: `<loc> has ${length} characters; at most ${maxLocLength} are safe` };
      },
    },
    {
      id: "C12",
      severity: "warning",
      sentence: "loc is an http or https URI.",
      source: `${core} §7`,
      check: ({ loc, md }, { type }) => {
        if (loc === undefined || /^\s*https?:/i.test(loc.text)) return undefined;
        const { scheme, fault } = judgeAbsoluteUri(trimmed(loc.text));
        if (fault !== undefined) return undefined; // C10
        const capability = md === undefined ? undefined : attributeOf(md, "capability");
        const isChannel = type === "capabilitylist" && capability?.endsWith("-notification") === true;
        if (isChannel && /^wss?$/.test(scheme)) return undefined; // CAP09
        return { element: loc, says: `<loc> begins with "${scheme}:"; readers expect http or https` };
      },
    },
    {
      id: "C14",
      severity: "error",
      sentence:
        "lastmod, changefreq and priority occur at most once in an entry; priority is a number from 0.0 to 1.0.",
      source: "sitemap 0.9 schema",
      check: (entry) => {
        const { priority } = entry;
        return priority === undefined || isPriority(trimmed(priority.text))
          ? repeated(entry, "lastmod", "changefreq", "priority")
          : { element: priority, says: "<priority> is no number from 0.0 to 1.0" };
      },
    },
    {
      id: "C15",
      severity: "warning",
      sentence: "changefreq is used only in resource lists, change lists and the two manifests.",
      source: `${core} §10–13`,
      applies: ({ type }) => withoutChangefreq(type),
      check: ({ changefreq }, { type }) =>
        changefreq === undefined
          ? undefined
          : { element: changefreq, says: `<changefreq> means nothing in a ${type}; leave it out` },
    },
    {
      id: "C16",
      severity: "warning",
      sentence: "Inside an entry the order is loc, lastmod, changefreq, priority, then rs:md and rs:ln.",
      source: "sitemap 0.9 schema",
      check: outOfOrder,
    },
    {
      id: "C17",
      severity: "error",
      sentence: "An entry has at most one rs:md.",
      source: `${core} §7`,
      check: (entry) => repeated(entry, "md"),
    },
    attributeOnlyIn("C18", "change", "change lists, change dump manifests and notifications", ({ type }) =>
      withoutChanges(type),
    ),
    attributeOnlyIn("C19", "datetime", "change lists, change dump manifests and notifications", ({ type }) =>
      withoutChanges(type),
    ),
    attributeOnlyIn(
      "C20",
      "capability",
      "capability lists, source descriptions and framework notifications",
      ({ type }) => withoutCapabilities(type),
    ),
  ],
};
