import { type Instant, parseInstant } from "./instant.ts";
import { defaultLimits } from "./reading-limits.ts";
import { readXml } from "./read-xml.ts";
import { type Entry, syncDocumentOf } from "./sync-document.ts";
import { attributeOf, type XmlElement } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

type Attributes = Readonly<Record<string, string | undefined>>;

/** One entry of a change notification, as it may stand in a Change List too (core 1.1 §12.1). */
export interface ReadChange {
  readonly uri: string;
  readonly change: string;
  /** When the change happened, where the entry says so: `datetime`, or `lastmod` under notification 0.8. */
  readonly at: Instant | undefined;
  readonly lastmod: string | undefined;
  /** What describes the representation: hash, length, type and the like. */
  readonly representation: Attributes;
  readonly links: readonly Attributes[];
}

export interface ReadChanges {
  /** The interval of the top-level rs:md, as far as it is there. */
  readonly from: Instant | undefined;
  readonly until: Instant | undefined;
  /** In document order. */
  readonly changes: readonly ReadChange[];
}

const ofRepresentation = ["hash", "length", "type", "encoding", "modified"];
const ofLinks = ["rel", "href", "hash", "length", "type", "encoding", "modified", "pri", "path"];

function attributesOf(element: XmlElement | undefined, names: readonly string[]): Attributes {
  if (element === undefined) return {};
  return Object.fromEntries(names.map((name) => [name, attributeOf(element, name)]));
}

function instantOf(text: string | undefined): Instant | undefined {
  return text === undefined ? undefined : parseInstant(text);
}

function changeOf({ loc, lastmod, md, links, datetime }: Entry, isForm08: boolean): ReadChange[] {
  const change = md === undefined ? undefined : attributeOf(md, "change");
  if (loc === undefined || change === undefined) return [];
  const modified = lastmod === undefined ? undefined : trimmed(lastmod.text);
  return [
    {
      uri: trimmed(loc.text),
      change,
      at: datetime ?? (isForm08 ? instantOf(modified) : undefined),
      lastmod: modified,
      representation: attributesOf(md, ofRepresentation),
      links: links.map((link) => attributesOf(link, ofLinks)),
    },
  ];
}

/**
 * The changes of a notification that was found valid when it was published. Attributes and elements of other namespaces are
 * left out. `undefined` where the document cannot be read at all.
 */
export function readChanges(payload: Buffer): ReadChanges | undefined {
  const reading = readXml(payload.toString("utf8"), defaultLimits);
  if (reading.kind === "refused") return undefined;
  const { md, entries } = syncDocumentOf(reading.document);
  return {
    from: md === undefined ? undefined : instantOf(attributeOf(md, "from")),
    until: md === undefined ? undefined : instantOf(attributeOf(md, "until")),
    changes: entries.flatMap((entry) => changeOf(entry, md === undefined)),
  };
}
