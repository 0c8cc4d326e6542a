import type { Instant } from "./instant.ts";
import { readNotification, type ReadNotification, type ToldChange } from "./read-notification.ts";
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

export interface ReadChanges extends Pick<ReadNotification, "from" | "until"> {
  /** In document order. */
  readonly changes: readonly ReadChange[];
}

const ofRepresentation = ["hash", "length", "type", "encoding", "modified"];
const ofLinks = ["rel", "href", "hash", "length", "type", "encoding", "modified", "pri", "path"];

function attributesOf(element: XmlElement | undefined, names: readonly string[]): Attributes {
  const found: Record<string, string> = {};
  if (element === undefined) return found;
  for (const name of names) {
    const value = attributeOf(element, name);
    if (value !== undefined) found[name] = value;
  }
  return found;
}

/** Empty where the entry names no resource. */
export function changeOfEntry({ entry, change, at }: ToldChange): ReadChange[] {
  const { loc, lastmod, md, links } = entry;
  if (loc === undefined) return [];
  return [
    {
      uri: trimmed(loc.text),
      change,
      at,
      lastmod: lastmod === undefined ? undefined : trimmed(lastmod.text),
      representation: attributesOf(md, ofRepresentation),
      links: links.map((link) => attributesOf(link, ofLinks)),
    },
  ];
}

/**
 * The changes of a notification as a Change List takes them over. Attributes and elements of other namespaces are left out.
 * `undefined` where the document cannot be read at all.
 */
export function readChanges(payload: Buffer): ReadChanges | undefined {
  const notification = readNotification(payload);
  return notification && { ...notification, changes: notification.changes.flatMap(changeOfEntry) };
}
