import { type DocumentType, isCapability } from "./document-type.ts";
import { nameOfType } from "./document-type-name.ts";
import { formerCapability, formerDescription } from "./former-names.ts";
import type {
  DocumentEntry,
  DocumentHead,
  IndexTypeName,
  TypedDocument,
  TypeName,
} from "./typed-document.ts";

/** Where there is no capability, as in notification 0.8, only the entries tell (notification 0.8 §4, §5). */
function typeByEntries(entries: readonly DocumentEntry[]): TypeName {
  const all = entries.flatMap(({ metadata }) => metadata ?? []);
  if (!all.some(({ change }) => change !== undefined)) return "other";
  return all.some(({ capability }) => capability !== undefined)
    ? "framework-notification"
    : "change-notification";
}

/** Neither notifications nor manifests have an index form (rules CN01, FN01, V03). */
const withoutIndex = /-notification$|-manifest$/;

/** By the capability and the root; by the entries only where no capability is named. */
export function typeOfDocument(
  { root, metadata }: DocumentHead,
  entries: readonly DocumentEntry[] = [],
): TypeName {
  const capability = metadata?.capability;
  if (capability === undefined) return root === "urlset" ? typeByEntries(entries) : "other";
  if (capability === formerCapability) return "change-notification";
  const known = capability === formerDescription ? "description" : capability;
  if (!isCapability(known)) return "other";
  const type: DocumentType = root === "sitemapindex" && !withoutIndex.test(known) ? `${known} index` : known;
  return nameOfType(type) ?? "other";
}

const isIndex = (type: TypeName): type is IndexTypeName => type.endsWith("-index");

export function typedDocument(head: DocumentHead, entries: readonly DocumentEntry[]): TypedDocument {
  const type = typeOfDocument(head, entries);
  return isIndex(type) ? { ...head, type, root: "sitemapindex", entries } : { ...head, type, entries };
}
