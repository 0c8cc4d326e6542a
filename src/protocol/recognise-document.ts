import { capabilities, type Capability, type DocumentType, isCapability } from "./document-type.ts";
import type { Judged, Profile, Wanted } from "./rule.ts";
import { formerCapability, formerDescription } from "./former-names.ts";
import type { Entry, SyncDocument } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";
import { nearlyIs, resourceSyncNamespace } from "./xml-names.ts";

export type NotificationKind = "change-notification" | "framework-notification";

/** By which version a document is judged; `auto` recognises it from each, `lenient` also takes older forms. */
export type AcceptedProfile = "auto" | "lenient" | Profile;

const has = ({ md }: Entry, attribute: string): boolean =>
  md !== undefined && attributeOf(md, attribute) !== undefined;

function isForm08({ root, md, entries }: SyncDocument): boolean {
  const misspelt = root.declarations.some(({ value }) => nearlyIs(value, resourceSyncNamespace));
  if (misspelt || md !== undefined) return false;
  return !entries.some((entry) => has(entry, "datetime"));
}

/** Notification 0.8 §3: the channels of a Capability List are sockets. */
function hasSocketsOnly({ entries }: SyncDocument): boolean {
  const channels = entries.filter(({ md }) =>
    (md === undefined ? "" : (attributeOf(md, "capability") ?? "")).endsWith("-notification"),
  );
  return channels.length > 0 && channels.every(({ loc }) => /^\s*wss?:/i.test(loc?.text ?? ""));
}

function profileOf(document: SyncDocument, type: DocumentType, capability: string | undefined): Profile {
  if (type === "capabilitylist") return hasSocketsOnly(document) ? "0.8" : "1.0.1";
  if (type.endsWith("-notification") && isForm08(document)) return "0.8";
  return capability === formerCapability ? "1.0" : "1.0.1";
}

/** Where the document does not say what it is: only framework notifications name both in their entries. */
function typeByEntries({ entries, form }: SyncDocument, wanted: Wanted | undefined): DocumentType {
  const isNotification = wanted === "a notification" || entries.some((entry) => has(entry, "change"));
  if (!isNotification || (form === "sitemapindex" && wanted === undefined)) return "other";
  return entries.some((entry) => has(entry, "capability")) ? "framework-notification" : "change-notification";
}

function baseOf(type: DocumentType): Capability | "other" {
  return capabilities.find((capability) => capability === type.replace(" index", "")) ?? "other";
}

function knownType(
  document: SyncDocument,
  capability: string | undefined,
  wanted: Wanted | undefined,
  lenient: boolean,
): Capability | "other" {
  const isOldChange =
    capability === "changelist" &&
    (wanted === "change-notification" || (wanted === "a notification" && lenient));
  if (capability === formerCapability || isOldChange) return "change-notification";
  if (capability === formerDescription) return "description";
  if (isCapability(capability)) return capability;
  if (wanted !== undefined && wanted !== "a notification") return baseOf(wanted);
  // Another specification may define what it names (core 1.1 §6.1).
  if (capability !== undefined && wanted === undefined) return "other";
  return baseOf(typeByEntries(document, wanted));
}

/** Neither notifications nor manifests have an index form: CN01, FN01 and V03 speak of a sitemapindex. */
const withoutIndex = /-notification$|-manifest$|^other$/;

/** What the document is to be judged as. */
export function recognise(
  document: SyncDocument,
  wanted: Wanted | undefined,
  accepted: AcceptedProfile,
): Judged {
  const { md: top, form } = document;
  const capability = top === undefined ? undefined : attributeOf(top, "capability");
  const lenient = accepted === "lenient";
  const known = knownType(document, capability, wanted, lenient);
  const isIndex = form === "sitemapindex" && !withoutIndex.test(known);
  const type: DocumentType = isIndex && known !== "other" ? `${known} index` : known;
  return {
    document,
    wanted,
    lenient,
    type,
    profile: accepted === "auto" || lenient ? profileOf(document, type, capability) : accepted,
  };
}
