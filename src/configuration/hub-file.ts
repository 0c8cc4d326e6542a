import { readFile } from "node:fs/promises";
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLError,
} from "yaml";
import type { Fault, Given, Path, Place } from "./given.ts";

type HubFile =
  { readonly kind: "read"; readonly given: Given } | { readonly kind: "faulty"; readonly faults: Fault[] };

/** Reads hub.yaml (YAML 1.2); every value keeps its line. */
export async function readHubFile(file: string): Promise<HubFile> {
  try {
    return parseHubFile(file, await readFile(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/, \w+ '.*'$/, "") : String(error);
    return { kind: "faulty", faults: [{ place: { source: file }, message: `cannot be read: ${reason}` }] };
  }
}

function parseHubFile(file: string, text: string): HubFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { source: file, line, column: col };
  };
  const faults = [...document.errors, ...document.warnings].map((error) => ({
    place: at(error.pos[0]),
    message: explain(error, text),
  }));
  if (faults.length > 0) return { kind: "faulty", faults };
  // An empty file, or one of comments only, leaves everything at its default.
  const values: unknown = document.contents === null ? {} : document.toJS();
  const placeOf = (path: Path): Place => at(offsetOf(document, path));
  return { kind: "read", given: { values, placeOf } };
}

/** Common mistakes in plainer words than the parser's. */
function explain({ code, message, pos }: YAMLError, text: string): string {
  if (code === "DUPLICATE_KEY") {
    const key = /^[^\s:]+/.exec(text.slice(pos[0]))?.[0];
    return `the key ${key === undefined ? "" : `"${key}" `}stands here a second time; keep one of the two`;
  }
  if (code === "TAB_AS_INDENT") return "a tab indents this line; YAML takes spaces only";
  if (code === "MULTIPLE_DOCS") return "a second document begins here; hub.yaml is a single one";
  return `not YAML: ${message}`;
}

/** Where the key stands, or the entry of a list; for what is missing, the place that should hold it. */
function offsetOf(document: Document.Parsed, path: Path): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (pair === undefined) break;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === "number") {
      node = node.items[part];
      offset = rangeStart(node) ?? offset;
    } else break;
  }
  return offset;
}

function rangeStart(node: unknown): number | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? node.range?.[0] : undefined;
}
