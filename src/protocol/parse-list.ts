import { SaxesParser } from "saxes";
import { growElementTree } from "./element-tree.ts";
import { createPiecewiseText } from "./piecewise-text.ts";
import { entities } from "./read-xml.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import { stop } from "./refusal.ts";
import type { Place } from "./source-place.ts";
import { type Entry, entryOf } from "./sync-document.ts";
import { watchedWriter } from "./watched-writer.ts";
import type { XmlElement } from "./xml-element.ts";

interface Watching {
  /** Every element that a rule may look at, as its tag ends. */
  readonly opened: (element: XmlElement) => void;
  /** Every entry as it ends; it is forgotten after this. */
  readonly entry: (entry: Entry) => void;
}

/** Parses a list piece by piece and holds the root and one entry of it. What it cannot go on from is thrown as `ReadingStopped`. */
export function createListParser(limits: ReadingLimits, { opened, entry }: Watching) {
  const parser = new SaxesParser({
    xmlns: true,
    position: false,
    defaultXMLVersion: "1.0",
    forceXMLVersion: true,
  });
  parser.ENTITIES = entities;
  const tree = growElementTree(limits);
  let heard = 0;
  const pieces = createPiecewiseText(
    // Attributes are not heard of: a tag is to end, however many it has.
    watchedWriter({ write: (text) => void parser.write(text), heard: () => heard }),
  );

  parser.on("opentag", (tag) => {
    heard += 1;
    if (Object.keys(tag.attributes).length > limits.attributes) {
      stop("W02", 0, `more than ${limits.attributes} attributes on one element`);
    }
    if (tree.root === undefined) pieces.rootOpened(parser);
    tree.begin(tag, 0, Object.values(tag.attributes));
    const element = tree.open.at(-1);
    if (element !== undefined) opened(element);
  });
  parser.on("closetag", () => {
    heard += 1;
    tree.end();
    const closed = tree.lastClosed;
    if (tree.open.length !== 1 || closed?.vocabulary !== "sitemap") return;
    if (closed.local !== "url" && closed.local !== "sitemap") return;
    entry(entryOf(closed));
    tree.forgetLast();
  });
  const takeText = (text: string): void => {
    heard += 1;
    tree.addText(text);
  };
  parser.on("text", takeText);
  parser.on("cdata", takeText);
  parser.on("error", ({ message }) => stop("X01", 0, `the document is not well-formed: ${message}`));

  return {
    write: (text: string): void => pieces.write(text),
    end: (): void => void parser.close(),
    /** What was read last. */
    place: (): Place => ({ line: parser.line, column: Math.max(1, parser.column) }),
  };
}
