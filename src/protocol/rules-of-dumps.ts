import type { DocumentType } from "./document-type.ts";
import { type Complaint, core, type Rule, type RuleFamily } from "./rule.ts";
import { saysChange } from "./rules-of-lists.ts";
import type { Entry, SyncDocument } from "./sync-document.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";

const isOf =
  (type: DocumentType) =>
  (standing: { readonly type: DocumentType }): boolean =>
    standing.type === type;

const isDeletion = (md: XmlElement | undefined): boolean =>
  md !== undefined && attributeOf(md, "change") === "deleted";

/** A rule that rs:md of an entry has an attribute, each. */
function hasAll(
  facts: Omit<Rule<Entry>, "check">,
  attributes: readonly string[],
  why: string,
  unless: (md: XmlElement | undefined) => boolean = () => false,
): Rule<Entry> {
  return {
    ...facts,
    check: ({ element, md }): Complaint | undefined => {
      if (unless(md)) return undefined;
      const missing = attributes.filter((name) => md === undefined || attributeOf(md, name) === undefined);
      if (missing.length === 0) return undefined;
      const names = missing.map((name) => `"${name}"`).join(" and ");
      const has = md === undefined ? `rs:md with ${names} is missing` : `rs:md has no ${names}`;
      return { element: md ?? element, says: `${has}; ${why}` };
    },
  };
}

const describesPackage = "readers choose and prepare a download by its media type and size";

function describesPackages(id: string, type: DocumentType, section: string): Rule<Entry> {
  const sentence = `Each package of a ${type} has rs:md with type and length.`;
  const facts = {
    id,
    severity: "warning",
    sentence,
    source: `${core} ${section}`,
    applies: isOf(type),
  } as const;
  return hasAll(facts, ["type", "length"], describesPackage);
}

const mediaTypeOf = ({ md }: Entry): string | undefined =>
  (md === undefined ? undefined : attributeOf(md, "type"))?.split(";")[0]?.trim().toLowerCase();

function ofOneFormat(id: string, type: DocumentType, section: string): Rule<SyncDocument> {
  return {
    id,
    severity: "warning",
    sentence: `All packages of a ${type} have the same format.`,
    source: `${core} ${section}`,
    applies: isOf(type),
    check: ({ entries }) => {
      const first = entries.map(mediaTypeOf).find((each) => each !== undefined);
      return entries.flatMap((entry): Complaint[] => {
        const [format, element] = [mediaTypeOf(entry), entry.md];
        if (format === undefined || format === first || element === undefined) return [];
        const says = `this package is ${format}, the first one ${first}; use one format for all`;
        return [{ element, attribute: "type", says }];
      });
    },
  };
}

const choosesReader = "readers choose by it what to do with the bitstream";

/** RD, RDM, CD, CDM and V03: dumps and their manifests. */
export const rulesOfDumps: RuleFamily = {
  ofDocuments: [
    {
      id: "V03",
      severity: "error",
      sentence: "A manifest has the root urlset; there is no index of manifests.",
      source: `${core} §11.2, §13.2`,
      applies: ({ type }) => type.endsWith("-manifest"),
      check: ({ root, form }) =>
        form === "sitemapindex"
          ? {
              element: root,
              says: `<${root.name}> is for indexes; a manifest describes one package, so write urlset and url`,
            }
          : undefined,
    },
    ofOneFormat("RD02", "resourcedump", "§11.1"),
    ofOneFormat("CD03", "changedump", "§13.1"),
  ],
  ofEntries: [
    describesPackages("RD01", "resourcedump", "§11.1"),
    describesPackages("CD01", "changedump", "§13.1"),
    hasAll(
      {
        id: "RDM01",
        severity: "error",
        sentence: "Each entry of a resourcedump-manifest has rs:md with path.",
        source: `${core} §11.2`,
        applies: isOf("resourcedump-manifest"),
      },
      ["path"],
      'say where in the package the bitstream is, such as path="/resources/a"',
    ),
    hasAll(
      {
        id: "RDM02",
        severity: "warning",
        sentence: "Each entry of a resourcedump-manifest has type.",
        source: `${core} §11.2`,
        applies: isOf("resourcedump-manifest"),
      },
      ["type"],
      choosesReader,
    ),
    saysChange("CDM01", "changedump-manifest", `${core} §13.2`),
    hasAll(
      {
        id: "CDM02",
        severity: "error",
        sentence: "Each entry of a changedump-manifest has path, but for deleted resources.",
        source: `${core} §13.2`,
        applies: isOf("changedump-manifest"),
      },
      ["path"],
      'say where in the package the bitstream is, such as path="/changes/a"',
      isDeletion,
    ),
    {
      id: "CDM03",
      severity: "warning",
      sentence: "An entry about a deleted resource has no path.",
      source: `${core} §13.2`,
      applies: isOf("changedump-manifest"),
      check: ({ md: element }) =>
        element !== undefined && isDeletion(element) && attributeOf(element, "path") !== undefined
          ? {
              element,
              attribute: "path",
              says: 'rs:md has "path", but a deleted resource has no bitstream in the package; leave it out',
            }
          : undefined,
    },
    hasAll(
      {
        id: "CDM04",
        severity: "warning",
        sentence: "Each entry of a changedump-manifest has type, but for deleted resources.",
        source: `${core} §13.2`,
        applies: isOf("changedump-manifest"),
      },
      ["type"],
      choosesReader,
      isDeletion,
    ),
  ],
};
