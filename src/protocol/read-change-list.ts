import { type Instant, parseInstant } from "./instant.ts";
import { createListReader, type ListReader } from "./read-list.ts";
import { changeOfEntry, type ReadChange } from "./read-changes.ts";
import { readEntries, UnreadableDocument } from "./read-entries.ts";
import type { ReadingLimits } from "./reading-limits.ts";
import { linksOf, targetOf } from "./rules-of-links.ts";
import { instantOf } from "./rules-of-times.ts";
import type { Entry } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";
import { trimmed } from "./xml-names.ts";

/** A Change List that an index names. */
export interface NamedList {
  readonly kind: "list";
  readonly url: string;
  readonly from: Instant | undefined;
  /** Absent where the list is open, or the index does not say. */
  readonly until: Instant | undefined;
}

export type ListedChange = { readonly kind: "change" } & ReadChange;

export interface ChangeListHead {
  readonly form: "urlset" | "sitemapindex";
  readonly from: Instant | undefined;
  readonly until: Instant | undefined;
  /** The page that follows, where the list comes in pages: some Sources link them so (RFC 8288 §3.3). */
  readonly next: string | undefined;
}

function listedChange(entry: Entry): ListedChange | NamedList | undefined {
  const { element, loc, lastmod, md, datetime } = entry;
  if (loc === undefined) return undefined;
  if (element.local === "sitemap") {
    const [from, until] = [instantOf(md, "from"), instantOf(md, "until")];
    return { kind: "list", url: trimmed(loc.text), from, until };
  }
  const change = md === undefined ? undefined : attributeOf(md, "change");
  if (change === undefined) return undefined;
  // Up to core 0.9 a Change List had no datetime: lastmod was when the change happened.
  const at = datetime ?? parseInstant(trimmed(lastmod?.text ?? ""));
  const [read] = changeOfEntry({ entry, change, at });
  return read === undefined ? undefined : { kind: "change", ...read };
}

/** Whoever reads the changes themselves needs no interval; the order of entries is not asked for either. */
const warnedOf: ReadonlySet<string> = new Set(["T02", "T03", "T06"]);

/** Reads a Change List, or the index of some (core 1.1 §12), as orderly as Sources write them. */
export function createChangeListReader(
  limits: ReadingLimits,
): ListReader<ListedChange | NamedList, ChangeListHead> {
  return createListReader<ListedChange | NamedList, ChangeListHead>(
    {
      capability: "changelist",
      section: "§12",
      name: "Change List",
      warnedOf,
      listed: listedChange,
      headOf({ md, links, form }) {
        if (form === undefined) return undefined;
        const [next] = linksOf(links, "next");
        const [from, until] = [instantOf(md, "from"), instantOf(md, "until")];
        return { form, from, until, next: next && targetOf(next) };
      },
    },
    limits,
  );
}

/** Whether the document says that it is a Change List or a Change List Index. Only its beginning is read. */
export async function isChangeList(document: AsyncIterable<Uint8Array> | Uint8Array): Promise<boolean> {
  try {
    for await (const part of readEntries(document)) {
      return part.kind === "head" && (part.type === "change-list" || part.type === "change-list-index");
    }
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
  }
  return false;
}
