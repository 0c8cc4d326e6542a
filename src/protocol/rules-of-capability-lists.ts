import { isCapability, oneOf } from "./document-type.ts";
import { changeNotification, core, type Complaint, type RuleFamily, type Standing } from "./rule.ts";
import { linksOf } from "./rules-of-links.ts";
import type { Entry } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

const applies = ({ type }: Standing): boolean => type === "capabilitylist";
const since10 = (standing: Standing): boolean => applies(standing) && standing.profile !== "0.8";

const isChannel = oneOf("change-notification", "framework-notification");
/** They are reached otherwise: from above, and from inside a package. */
const notListed = oneOf("capabilitylist", "description", "resourcedump-manifest", "changedump-manifest");

const capabilityIn = ({ md }: Entry): string | undefined =>
  md === undefined ? undefined : attributeOf(md, "capability");
const targetIn = ({ loc }: Entry): string => (loc === undefined ? "" : trimmed(loc.text));
const isSocket = (entry: Entry): boolean => /^wss?:/i.test(targetIn(entry));

function isChannelEntry(entry: Entry): boolean {
  const capability = capabilityIn(entry);
  return isCapability(capability) && isChannel(capability);
}

function judgeCapability(entry: Entry): Complaint | undefined {
  const [element, capability] = [entry.md, capabilityIn(entry)];
  if (element === undefined || capability === undefined || isCapability(capability)) return undefined;
  const meant = capability.trim().toLowerCase();
  const advice = isCapability(meant)
    ? `it is written "${meant}"`
    : "few readers will know what to do with it";
  return { element, attribute: "capability", says: `the capability "${capability}" is unknown; ${advice}` };
}

/** CAP: capability lists. */
export const rulesOfCapabilityLists: RuleFamily = {
  ofDocuments: [
    {
      id: "CAP01",
      severity: "warning",
      sentence: "A top-level describedby link leads to a document about the set of resources.",
      source: `${core} §9`,
      applies,
      check: ({ root, links }) =>
        linksOf(links, "describedby").length === 0
          ? {
              element: root,
              says: `<${root.name}> has no describedby link; write <rs:ln rel="describedby" href="…"/> to a page about these resources`,
            }
          : undefined,
    },
    {
      id: "CAP03",
      severity: "error",
      sentence: "Each capability is listed once.",
      source: `${core} §9`,
      applies,
      check: ({ entries }) => {
        const seen = new Set<string>();
        return entries.flatMap((entry): Complaint[] => {
          const [element, capability] = [entry.md, capabilityIn(entry)];
          if (element === undefined || capability === undefined) return [];
          if (!seen.has(capability)) {
            seen.add(capability);
            return [];
          }
          const says = `"${capability}" is listed already; group several documents under an index and list that`;
          return [{ element, attribute: "capability", says }];
        });
      },
    },
    {
      id: "CAP07",
      severity: "warning",
      sentence: "A capability list is a urlset, never an index.",
      source: `${core} §9`,
      applies: ({ type }) => type === "capabilitylist index",
      check: ({ root }) => ({
        element: root,
        says: `<${root.name}> makes this an index; few capabilities exist, so write one urlset for each set of resources`,
      }),
    },
    {
      id: "CAP10",
      severity: "error",
      sentence: "The change channel and the framework channel of a set have different topics.",
      source: `${changeNotification} §2, §4`,
      applies,
      check: ({ entries }) => {
        const channels = entries.filter(isChannelEntry);
        return channels.flatMap((entry, at): Complaint[] => {
          const twin = channels
            .slice(0, at)
            .find(
              (other) => capabilityIn(other) !== capabilityIn(entry) && targetIn(other) === targetIn(entry),
            );
          if (twin === undefined || entry.loc === undefined) return [];
          const says = `<loc> is that of the ${capabilityIn(twin)} channel as well; give each channel a topic of its own`;
          return [{ element: entry.loc, says }];
        });
      },
    },
  ],
  ofEntries: [
    {
      id: "CAP02",
      severity: "error",
      sentence: "Each entry of a capability list has rs:md with capability.",
      source: `${core} §9`,
      applies: ({ type }) => type === "capabilitylist",
      check: ({ element, md }) =>
        md === undefined || attributeOf(md, "capability") === undefined
          ? {
              element: md ?? element,
              says: 'no capability; write <rs:md capability="resourcelist"/>, or what else the document is',
            }
          : undefined,
    },
    {
      id: "CAP04",
      severity: "warning",
      sentence: "Capability lists, source descriptions and manifests are not listed as capabilities.",
      source: `${core} §7, §9`,
      applies,
      check: (entry) => {
        const [element, capability] = [entry.md, capabilityIn(entry)];
        if (element === undefined || !isCapability(capability) || !notListed(capability)) return undefined;
        const says = `"${capability}" is no capability of a set of resources; leave the entry out`;
        return { element, attribute: "capability", says };
      },
    },
    {
      id: "CAP05",
      severity: "warning",
      sentence: "The capability of an entry is one that a specification defines.",
      source: `${core} §9; archives; notifications`,
      applies,
      check: judgeCapability,
    },
    {
      id: "CAP06",
      severity: "warning",
      sentence: "lastmod is left out, unless the list is renewed at each change of a listed document.",
      source: `${core} §9`,
      applies,
      check: ({ lastmod: element }) =>
        element === undefined
          ? undefined
          : {
              element,
              says: "<lastmod> is right only if this list is renewed whenever the listed document changes; otherwise leave it out",
            },
    },
    {
      id: "CAP08",
      severity: "error",
      sentence: "The entry of a notification channel has its topic as loc and a link to the hub.",
      source: `${changeNotification} §5`,
      applies: since10,
      check: (entry) =>
        isChannelEntry(entry) && !isSocket(entry) && linksOf(entry.links, "hub").length === 0
          ? {
              element: entry.element,
              says: 'a channel needs a hub; write <rs:ln rel="hub" href="…"/> with the URL where Destinations subscribe',
            }
          : undefined,
    },
    {
      id: "CAP09",
      severity: "error",
      sentence: "The topic of a notification channel is an http or https URI; sockets are the form of 0.8.",
      source: `${changeNotification} §5`,
      applies: since10,
      check: (entry) =>
        isChannelEntry(entry) && isSocket(entry) && entry.loc !== undefined
          ? {
              element: entry.loc,
              says: '<loc> is a socket, as in notification 0.8; write the topic, and the hub as <rs:ln rel="hub"/>',
            }
          : undefined,
    },
  ],
};
