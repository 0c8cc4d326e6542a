import { SaxesParser } from "saxes";
import { growElementTree } from "./element-tree.ts";
import type { Fault } from "./fault.ts";
import { faultOfRefusal, faultOfRoot, tooLarge } from "./fault-of-refusal.ts";
import { defaultLimits, type ReadingLimits } from "./reading-limits.ts";
import { createPiecewiseText } from "./piecewise-text.ts";
import { entities } from "./read-xml.ts";
import { ReadingStopped, stop } from "./refusal.ts";
import type { DocumentEntry, DocumentHead, Dropped, TypeName } from "./typed-document.ts";
import { type DropCount, entryOfRoot, headOf } from "./typed-parts.ts";
import { typeOfDocument } from "./type-of-document.ts";
import { watchedWriter } from "./watched-writer.ts";
import type { XmlElement } from "./xml-element.ts";

export type DocumentPart =
  /** Comes first. `type` is `other` for notification 0.8, whose entries alone tell. */
  | { readonly kind: "head"; readonly type: TypeName; readonly head: DocumentHead }
  | { readonly kind: "entry"; readonly entry: DocumentEntry }
  /** Comes last: whoever sees it has seen the whole document. */
  | { readonly kind: "end"; readonly dropped: Dropped };

/** The document cannot be read to its end; what came before it may be a part only. */
export class UnreadableDocument extends Error {
  override name = "UnreadableDocument";
  readonly mayRetry = false;
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

const sliceBytes = 65_536;

async function* slices(source: AsyncIterable<Uint8Array> | Uint8Array): AsyncGenerator<Uint8Array> {
  if (!(source instanceof Uint8Array)) {
    yield* source;
    return;
  }
  for (let at = 0; at < source.byteLength; at += sliceBytes) yield source.subarray(at, at + sliceBytes);
}

interface PartReader {
  write(text: string): void;
  end(): void;
  /** What was read since it was last asked. */
  take(): DocumentPart[];
}

/** Makes parts of what the tree grows: the head before the first entry, or at the end of a document without one. */
function gatherParts() {
  let parts: DocumentPart[] = [];
  const dropped: DropCount = { elements: 0, attributes: 0, texts: 0 };
  let elementsOfHead: number | undefined;
  const sizeOf = ({ children, foreignChildren }: XmlElement): number => children.length + foreignChildren;
  const giveHead = (root: XmlElement): number => {
    if (elementsOfHead !== undefined) return elementsOfHead;
    const head = headOf(root, dropped);
    if (head === undefined) throw new UnreadableDocument(faultOfRoot(root.name));
    parts.push({ kind: "head", type: typeOfDocument(head), head });
    elementsOfHead = sizeOf(root);
    return elementsOfHead;
  };
  return {
    takeEntry(element: XmlElement, root: XmlElement): void {
      giveHead(root);
      const entry = entryOfRoot(element, root, dropped);
      if (entry !== undefined) parts.push({ kind: "entry", entry });
    },
    end(root: XmlElement): void {
      // What stands behind the entries came too late for the head (rule C03).
      dropped.elements += sizeOf(root) - giveHead(root);
      parts.push({ kind: "end", dropped });
    },
    take(): DocumentPart[] {
      const taken = parts;
      parts = [];
      return taken;
    },
  };
}

/** The reader of read-xml.ts, for text that comes in pieces. */
function createPartReader(limits: ReadingLimits): PartReader {
  const parts = gatherParts();
  const tree = growElementTree(limits, (entry, root) => parts.takeEntry(entry, root));
  const parser = new SaxesParser({
    xmlns: true,
    position: false, // as in read-xml.ts
    defaultXMLVersion: "1.0",
    forceXMLVersion: true,
  });
  parser.ENTITIES = entities;
  let attributes = 0;
  let heard = 0;
  const pieces = createPiecewiseText(
    watchedWriter({ write: (text) => void parser.write(text), heard: () => heard }),
  );

  parser.on("attribute", ({ name, value }) => {
    attributes += 1;
    heard += 1;
    if (attributes > limits.attributes)
      stop("W02", 0, `more than ${limits.attributes} attributes on one element`);
    if (value.length <= limits.valueLength) return;
    stop("W03", 0, `the attribute "${name}" has more than ${limits.valueLength} characters`);
  });
  parser.on("opentag", (tag) => {
    if (tree.root === undefined) pieces.rootOpened(parser);
    tree.begin(tag, parser.position, Object.values(tag.attributes));
    attributes = 0;
    heard += 1;
  });
  parser.on("closetag", () => {
    heard += 1;
    tree.end();
  });
  const takeText = (part: string): void => {
    heard += 1;
    tree.addText(part);
  };
  parser.on("text", takeText);
  parser.on("cdata", takeText);
  parser.on("error", ({ message }) => stop("X01", 0, message.replace(/\.$/, "")));

  /** saxes counts lines as it goes, so that no text has to be kept for the place of a fault. */
  function guarded(act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ReadingStopped)) throw error;
      const { line, column } = parser;
      throw new UnreadableDocument({ ...faultOfRefusal(error.refusal, ""), line, column: column + 1 });
    }
  }
  return {
    write: (text) => guarded(() => pieces.write(text)),
    end() {
      guarded(() => parser.close());
      if (tree.root !== undefined) parts.end(tree.root);
    },
    take: () => parts.take(),
  };
}

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  bytes: Uint8Array | undefined,
  before: number,
): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    const says = `the bytes after the first ${before} are not UTF-8; send the document in UTF-8`;
    throw new UnreadableDocument(faultOfRefusal({ rule: "X02", says, offset: 0 }, ""));
  }
}

/**
 * Reads a document while it arrives: first its head, then each entry, then the end. Memory holds one piece of the source
 * and the entries in it, whatever the size of the document. Values are those of `parseDocument`, but for two that a
 * reader on the way cannot know: a top-level rs:md or rs:ln behind the first entry is dropped, and so is the type of a
 * document without rs:md. Throws `UnreadableDocument`, perhaps after many entries.
 */
export async function* readEntries(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  limits: Partial<ReadingLimits> = {},
): AsyncGenerator<DocumentPart, void, undefined> {
  const bounds: ReadingLimits = { ...defaultLimits, ...limits };
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const reader = createPartReader(bounds);
  let received = 0;
  for await (const slice of slices(source)) {
    const before = received;
    received += slice.byteLength;
    if (received > bounds.bytes) throw new UnreadableDocument(faultOfRefusal(tooLarge(bounds.bytes), ""));
    reader.write(decode(decoder, slice, before));
    yield* reader.take();
  }
  reader.write(decode(decoder, undefined, received));
  reader.end();
  yield* reader.take();
}
