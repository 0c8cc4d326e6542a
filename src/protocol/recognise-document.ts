import { type Capability, type DocumentType, isCapability } from "./document-type.ts";
import type { Judged, Profile } from "./rule.ts";
import { formerCapability } from "./rules-of-values.ts";
import type { SyncDocument } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";
import { nearlyIs, resourceSyncNamespace } from "./xml-names.ts";

export type NotificationKind = "change-notification" | "framework-notification";

/** Which notifications are taken; `auto` recognises the profile of each, `lenient` also takes older forms. */
export type AcceptedProfile = "auto" | "lenient" | Profile;

function hasForm08({ root, md, entries }: SyncDocument): boolean {
  const misspelt = root.declarations.some(({ value }) => nearlyIs(value, resourceSyncNamespace));
  if (misspelt || md !== undefined) return false;
  return !entries.some((entry) => entry.md !== undefined && attributeOf(entry.md, "datetime") !== undefined);
}

function profileOf(document: SyncDocument, capability: string | undefined): Profile {
  if (hasForm08(document)) return "0.8";
  return capability === formerCapability ? "1.0" : "1.0.1";
}

/** Where the document does not say what it is: only framework notifications name capabilities in entries. */
function kindByEntries({ entries }: SyncDocument): NotificationKind {
  return entries.some(({ md }) => md !== undefined && attributeOf(md, "capability") !== undefined)
    ? "framework-notification"
    : "change-notification";
}

function typeOf(
  document: SyncDocument,
  capability: string | undefined,
  wanted: NotificationKind | undefined,
  lenient: boolean,
): DocumentType {
  const isOldChange = capability === "changelist" && (wanted === "change-notification" || lenient);
  if (capability === formerCapability || isOldChange) return "change-notification";
  const known: Capability = isCapability(capability) ? capability : (wanted ?? kindByEntries(document));
  // A notification has no index form: CN01 and FN01 speak of a sitemapindex.
  const mayBeIndex = document.form === "sitemapindex" && !known.endsWith("-notification");
  return mayBeIndex ? `${known} index` : known;
}

/** What the document is to be judged as. */
export function recognise(
  document: SyncDocument,
  wanted: NotificationKind | undefined,
  accepted: AcceptedProfile,
): Judged {
  const { md: top } = document;
  const capability = top === undefined ? undefined : attributeOf(top, "capability");
  const lenient = accepted === "lenient";
  return {
    document,
    wanted,
    lenient,
    type: typeOf(document, capability, wanted, lenient),
    profile: accepted === "auto" || lenient ? profileOf(document, capability) : accepted,
  };
}
