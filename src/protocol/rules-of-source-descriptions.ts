import { oneOf } from "./document-type.ts";
import { formerDescription } from "./former-names.ts";
import { core, type RuleFamily, type Standing } from "./rule.ts";
import { linksOf } from "./rules-of-links.ts";
import { attributeOf } from "./xml-element.ts";

const either = oneOf("description", "description index");
const applies = ({ type }: Standing): boolean => either(type);
/** The entries of an index point to source descriptions, not to capability lists. */
const plain = ({ type }: Standing): boolean => type === "description";

/** SD: source descriptions. */
export const rulesOfSourceDescriptions: RuleFamily = {
  ofDocuments: [
    {
      id: "SD01",
      severity: "warning",
      sentence: "A top-level describedby link leads to a document about the Source.",
      source: `${core} §8`,
      applies,
      check: ({ root, links }) =>
        linksOf(links, "describedby").length === 0
          ? {
              element: root,
              says: `<${root.name}> has no describedby link; write <rs:ln rel="describedby" href="…"/> to a page about the Source`,
            }
          : undefined,
    },
    {
      id: "SD04",
      severity: "warning",
      sentence: "A source description is the top of the tree and has no up link.",
      source: `${core} §6.2`,
      applies,
      check: ({ links }) =>
        linksOf(links, "up").map((element) => ({
          element,
          says: "an up link, but nothing is above a source description; leave it out",
        })),
    },
    {
      id: "SD05",
      severity: "error",
      sentence: `The capability is description; ${formerDescription} was its name in version 0.9.`,
      source: `${core} §8`,
      applies,
      check: ({ md: element }, { lenient }) =>
        element !== undefined && attributeOf(element, "capability") === formerDescription
          ? {
              element,
              attribute: "capability",
              severity: lenient ? "warning" : undefined,
              says: `"${formerDescription}" is the name of version 0.9; write capability="description"`,
            }
          : undefined,
    },
  ],
  ofEntries: [
    {
      id: "SD02",
      severity: "error",
      sentence: "rs:md of an entry is optional; where it is, its capability is capabilitylist.",
      source: `${core} §8`,
      applies: plain,
      check: ({ md: element }) => {
        const capability = element === undefined ? undefined : attributeOf(element, "capability");
        if (element === undefined || capability === "capabilitylist") return undefined;
        const says =
          capability === undefined
            ? 'rs:md has no "capability" attribute; write capability="capabilitylist", or leave rs:md out'
            : `rs:md has the capability "${capability}"; a source description lists capability lists, which list the rest`;
        return { element, attribute: capability === undefined ? undefined : "capability", says };
      },
    },
    {
      id: "SD03",
      severity: "warning",
      sentence: "Each entry has a describedby link to a document about its set of resources.",
      source: `${core} §8`,
      applies: plain,
      check: ({ element, links }) =>
        linksOf(links, "describedby").length === 0
          ? {
              element,
              says: 'no describedby link; write <rs:ln rel="describedby" href="…"/> to a page about this set',
            }
          : undefined,
    },
    {
      id: "SD06",
      severity: "warning",
      sentence: "lastmod is left out, unless the document is renewed at each change of a capability list.",
      source: `${core} §8`,
      applies,
      check: ({ lastmod: element }) =>
        element === undefined
          ? undefined
          : {
              element,
              says: "<lastmod> is right only if this document is renewed whenever the capability list changes; otherwise leave it out",
            },
    },
  ],
};
