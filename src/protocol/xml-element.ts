/** As saxes gives it. */
export interface XmlAttribute {
  /** With its prefix, as written. */
  readonly name: string;
  readonly local: string;
  /** Empty for an attribute without a prefix. */
  readonly prefix: string;
  /** The namespace; empty for an attribute without a prefix. */
  readonly uri: string;
  readonly value: string;
}

/** Whose element it is. A misspelt namespace counts as the one that was meant, so that one mistake gives one fault. */
export type Vocabulary = "sitemap" | "resourcesync" | "none" | "foreign";

/** An element that some rule may look at, with its place in the text. */
export interface XmlElement {
  /** With its prefix, as written. */
  readonly name: string;
  readonly local: string;
  readonly namespace: string;
  readonly vocabulary: Vocabulary;
  /** Where its `<` stands in the text, in UTF-16 code units. */
  readonly offset: number;
  readonly parent: XmlElement | undefined;
  /** Without namespace declarations. */
  readonly attributes: readonly XmlAttribute[];
  readonly declarations: readonly XmlAttribute[];
  /** Without those of foreign namespaces. */
  readonly children: readonly XmlElement[];
  readonly foreignChildren: number;
  /** Character data directly inside; empty where it is blank. */
  readonly text: string;
}

/** The value of an attribute that has no prefix. */
export function attributeOf(element: XmlElement, name: string): string | undefined {
  for (const attribute of element.attributes) if (attribute.name === name) return attribute.value;
  return undefined;
}

/** Whether the element is `rs:md` or `rs:ln`, whatever its prefix. */
export function isResourceSync(element: XmlElement, local: "md" | "ln"): boolean {
  return element.vocabulary === "resourcesync" && element.local === local;
}
