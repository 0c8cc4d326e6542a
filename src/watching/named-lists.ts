import type { NamedList } from "../protocol/read-change-list.ts";
import { ListNotTaken } from "./change-list-intake.ts";
import type { FetchChangeList } from "./fetch-change-list.ts";
import type { NewChange } from "./new-changes.ts";
import type { ListDocument, ReadPages, TakeList } from "./take-list.ts";
import type { KnownDocument } from "./watch-store.ts";

/** The lists that an index names. */
export function namedLists(fetch: FetchChangeList, readPages: TakeList["readPages"]) {
  /** `undefined`: it is as it was. */
  async function fetchNamed({ url }: NamedList, known: readonly KnownDocument[]) {
    const fetched = await fetch(
      url,
      known.find((document) => document.url === url),
    );
    if (fetched.kind === "failed") throw new ListNotTaken(fetched.reason);
    return fetched.kind === "fetched" ? { ...fetched, url } : undefined;
  }
  async function readNamed(
    document: ListDocument,
    isKnown: (change: NewChange) => boolean,
  ): Promise<ReadPages> {
    const read = await readPages(document, isKnown);
    if (read.head.form === "urlset") return read;
    throw new ListNotTaken(
      `${document.url} is itself an index; a Change List Index names Change Lists (ResourceSync 1.1 §12.2)`,
    );
  }

  return { fetchNamed, readNamed };
}

export type NamedLists = ReturnType<typeof namedLists>;
