export type Severity = "error" | "warning";

/** Values in a document can be long; what to do about them stands at the end of a sentence. */
const longest = 400;

export function messageOf(says: string, source: string): string {
  const short = says.length > longest ? `${says.slice(0, longest - 100)} … ${says.slice(-100)}` : says;
  return `${short} (${source})`;
}

/** One thing that is wrong in a document: what, where, by which rule. */
export interface Fault {
  /** The rule's id, such as `C09`; `sentenceOf` tells what it demands. */
  readonly rule: string;
  /** Only errors refuse a document. */
  readonly severity: Severity;
  /** What is wrong, what to write instead, and the section that says so. */
  readonly message: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1, in UTF-16 code units, as editors do. */
  readonly column: number;
  /** Such as `/urlset/url[3]/rs:md/@change`; empty where there is no document to walk. */
  readonly path: string;
}
