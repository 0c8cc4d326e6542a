import { capabilityOf, oneOf } from "./document-type.ts";
import { type Complaint, core, isTopLevel, type RuleFamily } from "./rule.ts";
import { sitemapNames } from "./rules-of-names.ts";
import { isResourceSync, type XmlElement } from "./xml-element.ts";
import { nearlyIs, resourceSyncNamespace, schemaInstanceNamespace } from "./xml-names.ts";

const attributesOfMetadata: ReadonlySet<string> = new Set(
  "at capability change completed datetime encoding from hash length modified path type until".split(" "),
);
const attributesOfLinks: ReadonlySet<string> = new Set(
  "encoding hash href length modified path pri rel type".split(" "),
);
const attributesOfTopMetadata: ReadonlySet<string> = new Set("at capability completed from until".split(" "));

const withInterval = oneOf("change-notification", "framework-notification");
const containers: ReadonlySet<string> = new Set(["urlset", "sitemapindex", "url", "sitemap"]);
const holders: Readonly<Record<string, string>> = { urlset: "url", sitemapindex: "sitemap" };

const isOurs = ({ vocabulary }: XmlElement): boolean => vocabulary === "resourcesync";
const isRootOrEntry = ({ vocabulary, local, parent }: XmlElement): boolean =>
  parent === undefined ||
  (parent.parent === undefined && vocabulary === "sitemap" && ["url", "sitemap"].includes(local));

function inWrongPlace(element: XmlElement): Complaint {
  const says = `<${element.name}> stands inside <${element.parent?.name ?? ""}>; it belongs directly in the root or in an entry`;
  return { element, says };
}

function undefinedAttribute(element: XmlElement, name: string): Complaint {
  const isLink = element.local === "ln";
  if (isLink && name === "profile") {
    const says = 'the attribute "profile" is in the schema since 2023, but not in the standard\'s text';
    return { element, attribute: name, severity: "warning", says };
  }
  const [here, there] = isLink
    ? [attributesOfLinks, attributesOfMetadata]
    : [attributesOfMetadata, attributesOfLinks];
  const advice = there.has(name)
    ? `it belongs to ${isLink ? "rs:md" : "rs:ln"}`
    : `it may have ${[...here].join(", ")}; an extension needs a prefix of its own`;
  return { element, attribute: name, says: `${element.name} has no attribute "${name}"; ${advice}` };
}

/** C01–C08, C13, C21–C24: what stands where. */
export const rulesOfStructure: RuleFamily = {
  ofDocuments: [
    {
      id: "C01",
      severity: "error",
      sentence: "The root has an rs:md child.",
      source: `${core} §7`,
      applies: ({ type, profile }) => profile !== "0.8" || !withInterval(type),
      check: ({ root, md }, { type }) => {
        if (md !== undefined) return undefined;
        const interval = withInterval(type) ? ' from="…" until="…"' : "";
        const write = `write <rs:md capability="${capabilityOf(type)}"${interval}/> before the first entry`;
        return { element: root, says: `<${root.name}> has no rs:md of its own; ${write}` };
      },
    },
    {
      id: "C02",
      severity: "error",
      sentence: "The root has not more than one rs:md child.",
      source: `${core} §7`,
      check: ({ root }) =>
        root.children
          .filter((child) => isResourceSync(child, "md"))
          .slice(1)
          .map((element) => ({
            element,
            says: "a second top-level rs:md; put its attributes into the first",
          })),
    },
    {
      id: "C03",
      severity: "warning",
      sentence: "Top-level rs:md and rs:ln stand before the first url or sitemap.",
      source: "sitemap 0.9 schema",
      check: ({ md, links, entries }) => {
        const first = entries[0]?.element.offset ?? Number.POSITIVE_INFINITY;
        if ((md?.offset ?? 0) < first && (links.at(-1)?.offset ?? 0) < first) return undefined;
        return [...(md === undefined ? [] : [md]), ...links]
          .filter(({ offset }) => offset > first)
          .map((element) => ({
            element,
            says: `the top-level ${element.name} stands after an entry; move it before the first one`,
          }));
      },
    },
    {
      id: "C04",
      severity: "error",
      sentence:
        "Besides rs:md, rs:ln and extensions, urlset holds url children only, sitemapindex sitemap children only.",
      source: `${core} §7`,
      check: ({ root, form }) =>
        root.children
          .filter(
            ({ vocabulary, local }) =>
              form !== undefined &&
              vocabulary === "sitemap" &&
              sitemapNames.has(local) &&
              local !== holders[form],
          )
          .map((element) => ({
            element,
            says: `<${element.name}> may not stand in ${root.name}, which holds ${holders[form ?? ""] ?? ""} elements`,
          })),
    },
    {
      id: "C13",
      severity: "warning",
      sentence: "The document has at least one entry.",
      source: `${core} §7`,
      check: ({ root, entries }, { type }) => {
        if (entries.length > 0) return undefined;
        const note =
          type === "change-notification"
            ? "; that is a legal sign of life for the interval, but the sitemap schema rejects it"
            : "; the sitemap schema rejects that";
        return { element: root, says: `<${root.name}> has no entry${note}` };
      },
    },
  ],
  ofElements: [
    {
      id: "C05",
      severity: "error",
      sentence:
        "An attribute of rs:md or rs:ln without a prefix is one that ResourceSync defines for that element.",
      source: `${core} §7, table 3`,
      check: (element) => {
        const isLink = isResourceSync(element, "ln");
        if (!isLink && !isResourceSync(element, "md")) return undefined;
        const known = isLink ? attributesOfLinks : attributesOfMetadata;
        if (element.attributes.every(({ prefix, name }) => prefix !== "" || known.has(name)))
          return undefined;
        return element.attributes
          .filter(({ prefix, name }) => prefix === "" && !known.has(name))
          .map(({ name }) => undefinedAttribute(element, name));
      },
    },
    {
      id: "C06",
      severity: "error",
      sentence: "ResourceSync attributes carry no namespace prefix.",
      source: `${core} §7`,
      check: (element) =>
        element.attributes.length === 0 || !element.attributes.some(({ prefix }) => prefix !== "")
          ? undefined
          : element.attributes
              .filter(({ uri }) => uri === resourceSyncNamespace || nearlyIs(uri, resourceSyncNamespace))
              .map(({ name, local }) => ({
                element,
                attribute: name,
                says: `the attribute "${name}" carries a prefix; write it as "${local}"`,
              })),
    },
    {
      id: "C08",
      severity: "error",
      sentence: "The root, url, sitemap, loc, lastmod, changefreq and priority have no attributes.",
      source: "sitemap 0.9 schema",
      check: (element) =>
        element.vocabulary !== "sitemap" || element.attributes.length === 0
          ? undefined
          : element.attributes
              // Every element may carry xsi:schemaLocation and its like (XML Schema 1 §2.6).
              .filter(({ uri }) => uri !== schemaInstanceNamespace && uri !== resourceSyncNamespace)
              .map(({ name }) => ({
                element,
                attribute: name,
                says: `<${element.name}> has the attribute "${name}", but may have none; leave it out`,
              })),
    },
    {
      id: "C21",
      severity: "error",
      sentence:
        "The root and its entries hold elements only; loc, lastmod, changefreq and priority text only.",
      source: "sitemap 0.9 schema",
      check: (element) => {
        if (element.vocabulary !== "sitemap") return undefined;
        const { name, text, children, foreignChildren } = element;
        const isMisplaced = ({ vocabulary }: XmlElement): boolean => vocabulary !== "resourcesync";
        if (!containers.has(element.local)) {
          return foreignChildren > 0 || children.some(isMisplaced)
            ? { element, says: `<${name}> holds an element, but may hold text only` }
            : undefined;
        }
        const inEntry = element.parent !== undefined;
        if (text === "" && !(inEntry && children.some(({ local }) => containers.has(local))))
          return undefined;
        return [
          ...(text === ""
            ? []
            : [
                {
                  element,
                  says: `<${name}> holds text ("${text.trim().slice(0, 40)}") between its elements; take it out`,
                },
              ]),
          ...children
            .filter((child) => inEntry && isMisplaced(child) && containers.has(child.local))
            .map((child) => ({ element: child, says: `<${child.name}> may not stand in <${name}>` })),
        ];
      },
    },
    {
      id: "C22",
      severity: "error",
      sentence: "rs:md and rs:ln are empty elements.",
      source: "ResourceSync schema",
      check: (element) =>
        isOurs(element) && (element.text !== "" || element.children.length + element.foreignChildren > 0)
          ? { element, says: `${element.name} has content; all it says stands in attributes` }
          : undefined,
    },
    {
      id: "C23",
      severity: "error",
      sentence: "rs:md and rs:ln stand directly in the root or in an entry.",
      source: `${core} §7`,
      check: (element) =>
        isOurs(element) && element.parent !== undefined && !isRootOrEntry(element.parent)
          ? inWrongPlace(element)
          : undefined,
    },
    {
      id: "C24",
      severity: "error",
      sentence: "The sitemap namespace holds no other elements than those of sitemap 0.9.",
      source: "sitemap 0.9 schema",
      check: (element) =>
        element.vocabulary === "sitemap" && !sitemapNames.has(element.local)
          ? {
              element,
              says: `<${element.name}> does not exist in sitemap 0.9; an extension needs a namespace of its own`,
            }
          : undefined,
    },
  ],
  ofMetadata: [
    {
      id: "C07",
      severity: "warning",
      sentence: "The top-level rs:md has only at, capability, completed, from and until.",
      source: `${core} §7, table 3`,
      check: (element) =>
        isTopLevel(element) && element.attributes.some(({ name }) => !attributesOfTopMetadata.has(name))
          ? element.attributes
              .filter(({ name }) => attributesOfMetadata.has(name) && !attributesOfTopMetadata.has(name))
              .map(({ name }) => ({
                element,
                attribute: name,
                says: `the top-level rs:md has "${name}", which describes a resource; move it to the entry's rs:md`,
              }))
          : undefined,
    },
  ],
};
