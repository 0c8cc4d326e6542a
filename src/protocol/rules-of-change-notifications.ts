import { oneOf } from "./document-type.ts";
import { parseInstant, type Instant } from "./instant.ts";
import { changeNotification, core, type Standing, notification08, type RuleFamily } from "./rule.ts";
import { linksOf } from "./rules-of-links.ts";
import { backwards } from "./rules-of-times.ts";
import { formerCapability } from "./former-names.ts";
import type { Entry, SyncDocument } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

const listsChanges = oneOf("change-notification", "changelist", "changedump-manifest");
const applies = ({ type }: Standing): boolean => type === "change-notification";
const under08 = (standing: Standing): boolean => applies(standing) && standing.profile === "0.8";
const since10 = (standing: Standing): boolean => applies(standing) && standing.profile !== "0.8";

const topCapability = ({ md: top }: SyncDocument): string | undefined =>
  top === undefined ? undefined : attributeOf(top, "capability");

/** lastmod, which gave the time of the change up to 0.9. */
function lastmodOf({ lastmod }: Entry): Instant | undefined {
  return lastmod === undefined ? undefined : parseInstant(trimmed(lastmod.text));
}

const ofRepresentation: readonly string[] = ["hash", "length", "type", "encoding"];

/** CN: change notifications. */
export const rulesOfChangeNotifications: RuleFamily = {
  ofDocuments: [
    {
      id: "CN01",
      severity: "error",
      sentence: "The root is urlset; a change notification has no index form.",
      source: `${changeNotification} §3`,
      applies,
      check: ({ root, form }) =>
        form === "sitemapindex"
          ? { element: root, says: "a change notification is a urlset; divide many changes among several" }
          : undefined,
    },
    {
      id: "CN02",
      severity: "error",
      sentence: "The top-level rs:md has both from and until.",
      source: `${changeNotification} §3`,
      applies: since10,
      check: (document, { lenient }) => {
        const { md: top } = document;
        const missing = ["from", "until"].filter(
          (name) => top === undefined || attributeOf(top, name) === undefined,
        );
        // 0.8.1 and 0.9 had both or neither; the changelist of older hubs has from only.
        const older = missing.length === 2 || topCapability(document) === "changelist";
        return missing.map((name) => ({
          element: top ?? document.root,
          severity: lenient && older ? ("warning" as const) : undefined,
          says: `the top-level rs:md has no "${name}"; say which interval the notification covers, so that gaps can be seen`,
        }));
      },
    },
    {
      id: "CN05",
      severity: "error",
      sentence:
        "Entries run forward in time, oldest change first: by datetime, under profile 0.8 by lastmod.",
      source: `${changeNotification} §3`,
      applies,
      check: ({ entries }, { profile }) => {
        const [timeOf, name] =
          profile === "0.8" ? [lastmodOf, "lastmod"] : [({ datetime }: Entry) => datetime, "datetime"];
        return backwards(entries, timeOf, ({ element, md, lastmod }) => ({
          element: (profile === "0.8" ? lastmod : md) ?? element,
          attribute: profile === "0.8" ? undefined : "datetime",
          says: `${name} is earlier than that of an entry before; put the oldest change first`,
        }));
      },
    },
    {
      id: "CN08",
      severity: "error",
      sentence: `The capability is change-notification; ${formerCapability} was its name up to 1.0.`,
      source: `${changeNotification} §3`,
      applies: since10,
      check: (document, { profile, lenient }) => {
        const { md: element } = document;
        const capability = topCapability(document);
        if (element === undefined) return undefined;
        if (profile === "1.0" && capability === "change-notification" && !lenient) {
          const says = `profile 1.0 writes the capability as "${formerCapability}"; under 1.0.1 this would be right`;
          return { element, attribute: "capability", says };
        }
        if (capability !== formerCapability) return undefined;
        const severity = profile === "1.0" || lenient ? ("warning" as const) : undefined;
        const says = `"${formerCapability}" is the name of version 1.0; write capability="change-notification"`;
        return { element, attribute: "capability", severity, says };
      },
    },
    {
      id: "CN09",
      severity: "error",
      sentence: "A change list is not a change notification.",
      source: `${changeNotification} §3`,
      applies: since10,
      check: (document, { lenient }) => {
        const { md: element } = document;
        if (element === undefined || topCapability(document) !== "changelist") return undefined;
        const severity = lenient ? ("warning" as const) : undefined;
        const says = 'this is a change list; as a notification it has capability="change-notification"';
        return { element, attribute: "capability", severity, says };
      },
    },
    {
      id: "CN10",
      severity: "error",
      sentence: "Under profile 0.8 a top-level up link leads to the capability list.",
      source: `${notification08} §4`,
      applies: under08,
      check: ({ root, links }) =>
        linksOf(links, "up").length === 0
          ? {
              element: root,
              says: `<${root.name}> has no up link; write <rs:ln rel="up" href="…"/> to the capability list`,
            }
          : undefined,
    },
  ],
  ofEntries: [
    {
      id: "CN03",
      severity: "error",
      sentence: "Each entry has rs:md with change.",
      source: `${changeNotification} §3`,
      applies,
      check: ({ element, md }) => {
        if (md === undefined) {
          return { element, says: 'no rs:md; write <rs:md change="updated"/>, or created, or deleted' };
        }
        return attributeOf(md, "change") === undefined
          ? { element: md, says: 'rs:md has no "change" attribute; say created, updated or deleted' }
          : undefined;
      },
    },
    {
      id: "CN04",
      severity: "warning",
      sentence: "Each entry has datetime; without it neither order nor duplicates can be judged.",
      source: `${changeNotification} §3`,
      applies: since10,
      check: ({ element, md }) =>
        md === undefined || attributeOf(md, "datetime") === undefined
          ? {
              element: md ?? element,
              says: 'rs:md has no "datetime" attribute; say when the change happened',
            }
          : undefined,
    },
    {
      id: "CN06",
      severity: "warning",
      sentence: "An entry about a deleted resource has no hash, length, type or encoding.",
      source: `${core} §7, table 3`,
      applies: ({ type }) => listsChanges(type),
      check: ({ md }) =>
        md === undefined || attributeOf(md, "change") !== "deleted"
          ? undefined
          : md.attributes
              .filter(({ name }) => ofRepresentation.includes(name))
              .map(({ name }) => ({
                element: md,
                attribute: name,
                says: `rs:md has "${name}", but a deleted resource has no representation; leave it out`,
              })),
    },
    {
      id: "CN07",
      severity: "error",
      sentence: "Under profile 0.8 each entry has lastmod, the time of the change.",
      source: `${notification08} §4`,
      applies: under08,
      check: ({ element, lastmod }) =>
        lastmod === undefined
          ? { element, says: "no <lastmod>; under profile 0.8 it says when the change happened" }
          : undefined,
    },
  ],
};
