import { oneOf, isCapability, type Capability } from "./document-type.ts";
import {
  frameworkNotification,
  type Complaint,
  type Standing,
  notification08,
  type RuleFamily,
} from "./rule.ts";
import { linksOf, targetOf } from "./rules-of-links.ts";
import { backwards } from "./rules-of-times.ts";
import { formerCapability } from "./former-names.ts";
import type { Entry } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

const applies = ({ type }: Standing): boolean => type === "framework-notification";
const under08 = (standing: Standing): boolean => applies(standing) && standing.profile === "0.8";

/** Framework Notification 1.0.1 table 2. What it does not name may change in every way. */
const legalChanges: Partial<Record<Capability, readonly string[]>> = {
  resourcelist: ["created", "updated"],
  resourcedump: ["created"],
  changelist: ["created", "updated"],
  changedump: ["created", "updated"],
};
const legalChanges08: typeof legalChanges = { ...legalChanges, resourcelist: ["created"] };

const isSubject = oneOf(
  "resourcelist",
  "resourcedump",
  "changelist",
  "changedump",
  "capabilitylist",
  "description",
  "resourcelist-archive",
  "resourcedump-archive",
  "changelist-archive",
  "changedump-archive",
);
const isChannel = (capability: string): boolean =>
  ["change-notification", "framework-notification", formerCapability].includes(capability);

const capabilityOf = ({ md }: Entry): string | undefined =>
  md === undefined ? undefined : attributeOf(md, "capability");

/** Where the up link of a notification about such a document leads. */
type Level = "capability list" | "source description" | "none";

function levelOf(entry: Entry): Level | undefined {
  const capability = capabilityOf(entry);
  if (capability === "description") return "none";
  if (capability === "capabilitylist") return "source description";
  return isCapability(capability) && isSubject(capability) ? "capability list" : undefined;
}

/** Attributes of rs:md that no other rule keeps out: T07, T08, V17 and FN13 speak of the rest. */
const describesRepresentation: ReadonlySet<string> = new Set([
  "hash",
  "length",
  "type",
  "encoding",
  "modified",
]);

/** FN: framework notifications. */
export const rulesOfFrameworkNotifications: RuleFamily = {
  ofDocuments: [
    {
      id: "FN01",
      severity: "error",
      sentence: "The root is urlset; a framework notification has no index form.",
      source: `${frameworkNotification} §3`,
      applies,
      check: ({ root, form }) =>
        form === "sitemapindex"
          ? { element: root, says: "a framework notification is a urlset; it has no index form" }
          : undefined,
    },
    {
      id: "FN02",
      severity: "warning",
      sentence: "from and until are optional; where one is, the other is too.",
      source: `${frameworkNotification} §3`,
      applies,
      check: ({ md: top }) => {
        if (top === undefined) return undefined;
        const missing = ["from", "until"].filter((name) => attributeOf(top, name) === undefined);
        if (missing.length !== 1) return undefined;
        const says = `the top-level rs:md has no "${missing.join("")}", although it has the other end of the interval`;
        return { element: top, says };
      },
    },
    {
      id: "FN08",
      severity: "warning",
      sentence: "Entries that have datetime run forward in time.",
      source: `${frameworkNotification} §3`,
      applies,
      check: ({ entries }) =>
        backwards(
          entries,
          ({ datetime }) => datetime,
          ({ element, md }) => ({
            element: md ?? element,
            attribute: "datetime",
            says: "datetime is earlier than that of an entry before; put the oldest change first",
          }),
        ),
    },
    {
      id: "FN11",
      severity: "warning",
      sentence:
        "The up link fits all entries: to the capability list for its documents, to the source description for capability lists.",
      source: `${frameworkNotification} §3`,
      applies,
      check: ({ links, entries }) => {
        const [up] = linksOf(links, "up");
        if (up === undefined) return undefined;
        const levels = new Set(entries.map(levelOf).filter((level) => level !== undefined));
        levels.delete("none");
        if (levels.size < 2) return undefined;
        const says =
          "the entries are about documents of two levels, but one up link leads to one parent; send two notifications";
        return { element: up, says };
      },
    },
    {
      id: "FN12",
      severity: "error",
      sentence:
        "Under profile 0.8 an up link exists when the notification is about a capability document or a capability list.",
      source: `${notification08} §5`,
      applies: under08,
      check: ({ root, links, entries }) => {
        if (linksOf(links, "up").length > 0) return undefined;
        const level = entries.map(levelOf).find((each) => each !== undefined && each !== "none");
        if (level === undefined) return undefined;
        return {
          element: root,
          says: `<${root.name}> has no up link; write <rs:ln rel="up" href="…"/> to the ${level}`,
        };
      },
    },
  ],
  ofEntries: [
    {
      id: "FN03",
      severity: "error",
      sentence: "Each entry has rs:md with both change and capability.",
      source: `${frameworkNotification} §3`,
      applies,
      check: ({ element, md }) => {
        if (md === undefined) {
          return {
            element,
            says: 'no rs:md; write <rs:md change="updated" capability="changelist"/> or the like',
          };
        }
        return ["change", "capability"]
          .filter((name) => attributeOf(md, name) === undefined)
          .map((name) => ({
            element: md,
            says: `rs:md has no "${name}" attribute; say ${name === "change" ? "created, updated or deleted" : "what kind of document changed"}`,
          }));
      },
    },
    {
      id: "FN04",
      severity: "error",
      sentence: "The pair of capability and change is one that can happen.",
      source: `${frameworkNotification} table 2`,
      applies,
      check: (entry, { profile }) => {
        const { md } = entry;
        const [capability, change] = [
          capabilityOf(entry),
          md === undefined ? undefined : attributeOf(md, "change"),
        ];
        if (md === undefined || !isCapability(capability) || change === undefined) return undefined;
        const legal = (profile === "0.8" ? legalChanges08 : legalChanges)[capability];
        if (legal === undefined || legal.includes(change)) return undefined;
        if (!["created", "updated", "deleted"].includes(change)) return undefined; // V20
        const says = `a ${capability} is never ${change}, but ${legal.join(" or ")}`;
        return { element: md, attribute: "change", says };
      },
    },
    {
      id: "FN05",
      severity: "warning",
      sentence: "No entry is about a notification channel.",
      source: `${frameworkNotification} §2.1`,
      applies,
      check: (entry) => {
        const { md: element } = entry;
        const capability = capabilityOf(entry);
        if (element === undefined || capability === undefined || !isChannel(capability)) return undefined;
        const says = "there is no notification about channels; announce the updated capability list instead";
        return { element, attribute: "capability", says };
      },
    },
    {
      id: "FN06",
      severity: "warning",
      sentence: "The capability of an entry is one of the six core values or of the four archives.",
      source: `${frameworkNotification} §3`,
      applies,
      check: (entry): Complaint | undefined => {
        const { md: element } = entry;
        const capability = capabilityOf(entry);
        if (element === undefined || capability === undefined || isChannel(capability)) return undefined;
        if (isCapability(capability) && isSubject(capability)) return undefined;
        const attribute = "capability";
        if (capability !== capability.trim()) {
          return {
            element,
            attribute,
            severity: "error",
            says: "the capability has white space around it; take it out",
          };
        }
        const meant = capability.trim().toLowerCase();
        const advice = isCapability(meant) && meant !== capability ? `; it is written "${meant}"` : "";
        return {
          element,
          attribute,
          says: `the capability "${capability}" is no kind of document that is known here${advice}`,
        };
      },
    },
    {
      id: "FN07",
      severity: "error",
      sentence: "An entry is about a component document, never about its index.",
      source: `${frameworkNotification} §2, §3`,
      applies,
      check: ({ links, loc }) => {
        const about = loc === undefined ? undefined : trimmed(loc.text);
        return linksOf(links, "index")
          .filter((link) => about !== undefined && targetOf(link) === about)
          .map((element) => ({
            element,
            attribute: "href",
            says: "loc and the index link name the same document; loc names the component, the link its index",
          }));
      },
    },
    {
      id: "FN09",
      severity: "warning",
      sentence: "An entry has at most one index link.",
      source: `${frameworkNotification} §3`,
      applies,
      check: ({ links }) =>
        linksOf(links, "index")
          .slice(1)
          .map((element) => ({ element, says: "a second index link; a document is under one index" })),
    },
    {
      id: "FN10",
      severity: "error",
      sentence:
        "The rs:md of an entry has only change, capability and datetime; under profile 0.8 only the first two.",
      source: `${frameworkNotification} §3`,
      applies,
      check: ({ md: element }) =>
        element?.attributes
          .filter(({ name }) => describesRepresentation.has(name))
          .map(({ name }) => ({
            element,
            attribute: name,
            says: `rs:md has "${name}"; here it has change, capability and datetime only`,
          })),
    },
  ],
};
