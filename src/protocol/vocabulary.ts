import type { Vocabulary, XmlElement } from "./xml-element.ts";
import { nearlyIs, resourceSyncNamespace, sitemapNamespace } from "./xml-names.ts";

const rootNames = new Set(["urlset", "sitemapindex"]);

/** Whatever its namespace, a root named urlset is meant as one; and what shares its namespace is meant likewise. */
function rootVocabulary(namespace: string, local: string): Vocabulary {
  if (rootNames.has(local)) return "sitemap";
  return namespace === "" ? "none" : "foreign";
}

export function vocabularyOf(namespace: string, local: string, root: XmlElement | undefined): Vocabulary {
  if (namespace === sitemapNamespace) return "sitemap";
  if (namespace === resourceSyncNamespace) return "resourcesync";
  if (nearlyIs(namespace, sitemapNamespace)) return "sitemap";
  if (nearlyIs(namespace, resourceSyncNamespace)) return "resourcesync";
  if (root === undefined) return rootVocabulary(namespace, local);
  if (root.vocabulary === "sitemap" && root.namespace === namespace) return "sitemap";
  return namespace === "" ? "none" : "foreign";
}
