/** What a document may cost us. Generous beside real documents; a hub may set lower ones. */
export interface ReadingLimits {
  /** Of the document as received. */
  readonly bytes: number;
  /** `url` or `sitemap` elements. */
  readonly entries: number;
  /** Levels of elements; a ResourceSync document needs three, extensions bring some more. */
  readonly depth: number;
  /** Per element, namespace declarations included. */
  readonly attributes: number;
  /** Characters of one attribute value or one text. */
  readonly valueLength: number;
  /** Characters of the name of an element or attribute. */
  readonly nameLength: number;
  /** Elements of the sitemap and ResourceSync namespaces: ten for each of 50,000 entries. */
  readonly elements: number;
}

export const defaultLimits: ReadingLimits = {
  bytes: 52_428_800, // ResourceSync 1.1 §7
  entries: 50_000, // ResourceSync 1.1 §7
  depth: 32,
  attributes: 64,
  valueLength: 65_536,
  nameLength: 1024,
  elements: 500_000,
};
