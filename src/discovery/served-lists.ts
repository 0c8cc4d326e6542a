import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { ClosedDocument, ClosedLists } from "./closed-lists.ts";
import type { KeptSet } from "./kept-sets.ts";
import { writeChangeList, writeChangeListArchive, writeChangeListIndex } from "./list-documents.ts";
import { digestOf } from "./open-lists.ts";

/** A document that can be sent as it is or gzipped; which is made is up to who asks. */
export interface ListDocument {
  /** SHA-256 of `plain`, base64url. */
  readonly digest: string;
  readonly plain: () => Promise<Buffer>;
  readonly gzipped: () => Promise<Buffer>;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Whether its bytes never change again. */
  readonly isClosed: boolean;
}

export type ListAnswer =
  | { readonly kind: "found"; readonly document: ListDocument }
  /** Retention removed it. */
  | { readonly kind: "gone"; readonly top: string }
  | { readonly kind: "never" };

const [compress, decompress] = [promisify(gzip), promisify(gunzip)];

/** The Change List, or the index of all once one was closed. */
export async function topDocument(lists: ClosedLists, set: KeptSet): Promise<ListDocument> {
  const { state, open } = await set.keeper.refresh();
  if (open.open.n === 1) return openDocument(writeChangeList(set.urls, open, undefined), open.changedAt);
  const closed = (await lists.list(set.channel.id)).filter(({ n }) => n < open.open.n);
  return openDocument(writeChangeListIndex(set.urls, closed, open), state.changedAt);
}

export async function archiveDocument(lists: ClosedLists, set: KeptSet): Promise<ListDocument> {
  const { state, open } = await set.keeper.refresh();
  const closed = (await lists.list(set.channel.id)).filter(({ n }) => n < open.open.n);
  return openDocument(writeChangeListArchive(set.urls, closed), state.changedAt);
}

/** A closed list is found without a look at the log. */
export async function listDocument(lists: ClosedLists, set: KeptSet, n: number): Promise<ListAnswer> {
  const { urls, keeper, channel } = set;
  const closed = await lists.read(channel.id, n);
  if (closed !== undefined) return { kind: "found", document: closedDocument(closed) };
  const { open } = await keeper.refresh();
  if (n === open.open.n) {
    return {
      kind: "found",
      document: openDocument(writeChangeList(urls, open, undefined), open.changedAt),
    };
  }
  if (n < 1 || n > open.open.n) return { kind: "never" };
  // Closed since it was looked for, or dropped.
  const again = await lists.read(channel.id, n);
  if (again === undefined) return { kind: "gone", top: urls.top };
  return { kind: "found", document: closedDocument(again) };
}

function openDocument(text: string, modifiedAt: number): ListDocument {
  const body = Buffer.from(text);
  return {
    digest: digestOf(body),
    plain: async () => body,
    gzipped: () => compress(body),
    modifiedAt,
    isClosed: false,
  };
}

function closedDocument({ list, gzipped }: ClosedDocument): ListDocument {
  return {
    digest: list.digest,
    plain: () => decompress(gzipped),
    gzipped: async () => gzipped,
    modifiedAt: list.closedAt,
    isClosed: true,
  };
}
