import { core, type RuleFamily } from "./rule.ts";
import { nearlyIs, resourceSyncNamespace, sitemapNamespace } from "./xml-names.ts";

export const sitemapNames: ReadonlySet<string> = new Set([
  "urlset",
  "sitemapindex",
  "url",
  "sitemap",
  "loc",
  "lastmod",
  "changefreq",
  "priority",
]);

/** N: the root and the namespaces. */
export const rulesOfNames: RuleFamily = {
  ofDocuments: [
    {
      id: "N02",
      severity: "error",
      sentence: "The root element is urlset or sitemapindex.",
      source: `${core} §7`,
      check: ({ root, form }) =>
        form === undefined
          ? { element: root, says: `the root element is <${root.name}>; it must be urlset or sitemapindex` }
          : undefined,
    },
  ],
  ofElements: [
    {
      id: "N01",
      severity: "error",
      sentence:
        "urlset, sitemapindex, url, sitemap and their loc, lastmod, changefreq and priority are in the sitemap 0.9 namespace.",
      source: `${core} §7`,
      check: (element, { document: { root } }) => {
        const { name, namespace, vocabulary, local } = element;
        if (namespace === sitemapNamespace) return undefined;
        const meant = vocabulary === "sitemap" || (vocabulary === "none" && sitemapNames.has(local));
        // One fault, not one for each element that shares the root's mistake.
        if (!meant || (element !== root && namespace === root.namespace)) return undefined;
        const is = namespace === "" ? "in no namespace" : `in the namespace "${namespace}"`;
        const declare = `declare xmlns="${sitemapNamespace}", exactly so, on the root element`;
        return { element, says: `<${name}> is ${is}; ${declare}` };
      },
    },
    {
      id: "N03",
      severity: "error",
      sentence: "Only rs:md and rs:ln exist in the ResourceSync namespace.",
      source: `${core} §7`,
      check: (element) =>
        element.vocabulary === "resourcesync" && element.local !== "md" && element.local !== "ln"
          ? {
              element,
              says: `<${element.name}> does not exist in ResourceSync, which has rs:md and rs:ln only; an extension needs a namespace of its own`,
            }
          : undefined,
    },
    {
      id: "N04",
      severity: "error",
      sentence:
        "The ResourceSync namespace is named exactly, with the final slash; no element is without a namespace.",
      source: `${core} §4`,
      check: (element, { document: { root } }) => {
        if (element.declarations.length === 0 && element.vocabulary !== "none") return undefined;
        // N02 speaks of the root.
        const isBare = element !== root && element.vocabulary === "none" && !sitemapNames.has(element.local);
        return [
          ...element.declarations
            .filter(({ value }) => nearlyIs(value, resourceSyncNamespace))
            .map(({ name, value }) => ({
              element,
              attribute: name,
              says: `${name}="${value}" is not the ResourceSync namespace; write "${resourceSyncNamespace}", with the final slash`,
            })),
          ...(isBare
            ? [
                {
                  element,
                  says: `<${element.name}> is in no namespace; leave it out or give it a prefix of your own`,
                },
              ]
            : []),
        ];
      },
    },
  ],
};
