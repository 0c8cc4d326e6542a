import type { DocumentEntry, DocumentLink, Metadata, TypedDocument } from "./typed-document.ts";
import { typeOfDocument } from "./type-of-document.ts";
import { writeDocument } from "./write-document.ts";
import type { Attributes, EntryToWrite } from "./write-entry.ts";
import { CannotBeWritten } from "./escape-xml.ts";

const attributesOfMetadata = (metadata: Metadata): Attributes => ({
  capability: metadata.capability,
  at: metadata.at?.text,
  completed: metadata.completed?.text,
  from: metadata.from?.text,
  until: metadata.until?.text,
  change: metadata.change,
  datetime: metadata.datetime?.text,
  hash: metadata.hash,
  length: metadata.length,
  type: metadata.type,
  encoding: metadata.encoding,
  modified: metadata.modified?.text,
  path: metadata.path,
});

const attributesOfLink = (link: DocumentLink): Attributes => ({
  rel: link.rel,
  href: link.href,
  hash: link.hash,
  length: link.length,
  type: link.type,
  encoding: link.encoding,
  modified: link.modified?.text,
  path: link.path,
  pri: link.pri,
  profile: link.profile,
});

const entryToWrite = ({
  loc,
  lastmod,
  changefreq,
  priority,
  metadata,
  links,
}: DocumentEntry): EntryToWrite => ({
  loc,
  lastmod: lastmod?.text,
  changefreq,
  priority,
  metadata: metadata === undefined ? undefined : attributesOfMetadata(metadata),
  links: links.map(attributesOfLink),
});

/**
 * Writes a document, so that `parseDocument` gives the same one again. It judges no rule. Throws `CannotBeWritten` where
 * a value has a character that XML cannot hold, or where `type` is not what the root and the capability say.
 */
export function serializeDocument(document: TypedDocument): string {
  const { root, type, metadata, links, entries } = document;
  const told = typeOfDocument(document, entries);
  if (told !== type) {
    throw new CannotBeWritten(
      `type is "${type}", but <${root}> with capability ${JSON.stringify(metadata?.capability ?? "none")} is read as "${told}"; make them agree`,
    );
  }
  return writeDocument({
    root,
    links: links.map(attributesOfLink),
    metadata: metadata === undefined ? undefined : attributesOfMetadata(metadata),
    entries: entries.map(entryToWrite),
  });
}
