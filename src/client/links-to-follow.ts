import { normalRelation } from "../protocol/link-relations.ts";
import type { DocumentEntry, DocumentLink, TypedDocument } from "../protocol/typed-document.ts";

/** A link from one ResourceSync document to another, to a topic, or to a package of a dump. */
export interface LinkToFollow {
  readonly url: string;
  readonly kind: "document" | "topic" | "package";
  /** The capability that the link says its target has. */
  readonly expected: string | undefined;
}

export function targetsOf(links: readonly DocumentLink[], relation: string): string[] {
  return links.filter(({ rel }) => normalRelation(rel) === relation).map(({ href }) => href);
}

/** For what an entry of a Capability List stands: a channel's topic, or a document (core 1.1 §9, notification 1.0.1 §5). */
function capabilityEntry({ loc, metadata }: DocumentEntry): LinkToFollow {
  const expected = metadata?.capability;
  const isChannel = expected?.endsWith("-notification") === true;
  return isChannel
    ? { url: loc, kind: "topic", expected: undefined }
    : { url: loc, kind: "document", expected };
}

const toAll = (entries: readonly DocumentEntry[], expected: string | undefined): LinkToFollow[] =>
  entries.map(({ loc }) => ({ url: loc, kind: "document", expected }));

const documents = (urls: readonly string[], expected: string | undefined): LinkToFollow[] =>
  urls.map((url) => ({ url, kind: "document", expected }));

function fromNotification(entries: readonly DocumentEntry[]): LinkToFollow[] {
  return entries
    .filter(({ metadata }) => metadata?.change !== "deleted")
    .flatMap(({ loc, metadata, links }) =>
      documents([loc, ...targetsOf(links, "index")], metadata?.capability),
    );
}

function downwards({ type, entries, metadata }: TypedDocument): LinkToFollow[] {
  const capability = metadata?.capability;
  if (type.endsWith("-index")) return toAll(entries, capability);
  if (type.endsWith("-archive")) return toAll(entries, capability?.replace("-archive", ""));
  if (type === "source-description") return toAll(entries, "capabilitylist");
  if (type === "capability-list") return entries.map(capabilityEntry);
  if (type === "framework-notification") return fromNotification(entries);
  if (type !== "resource-dump" && type !== "change-dump") return [];
  return entries.flatMap(({ loc, links }): LinkToFollow[] => {
    const manifests = documents(targetsOf(links, "contents"), `${capability}-manifest`);
    // Only a package whose manifest stands outside too can be compared with anything (core 1.1 §11.1, §13.1).
    return manifests.length === 0 ? [] : [...manifests, { url: loc, kind: "package", expected: undefined }];
  });
}

/** `up` leads to the Capability List or, from there, to the Source Description (core 1.1 §6.2). */
function upwards({ type, links, metadata }: TypedDocument): LinkToFollow[] {
  const above = type.startsWith("capability-list")
    ? "description"
    : type.endsWith("-notification") || type === "other"
      ? undefined
      : "capabilitylist";
  return [
    ...documents(targetsOf(links, "up"), above),
    ...documents(targetsOf(links, "index"), metadata?.capability),
  ];
}

/** What a walk visits next from here: documents and topics, never the resources themselves. */
export function linksToFollow(document: TypedDocument): LinkToFollow[] {
  return [...upwards(document), ...downwards(document)].filter(
    ({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url),
  );
}
