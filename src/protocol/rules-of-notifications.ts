import { capabilityOf, type DocumentType, isCapability, oneOf } from "./document-type.ts";
import {
  changeNotification,
  type Complaint,
  type Judged,
  notification08,
  type Rule,
  type RuleFamily,
} from "./rule.ts";
import { formerCapability, formerDescription } from "./former-names.ts";
import type { SyncDocument } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";

const isNotification = oneOf("change-notification", "framework-notification");
const isFormerName = (name: string): boolean => name === formerCapability || name === formerDescription;

const kinds = "change-notification or framework-notification";

/** Profile 0.8 has neither rs:md nor times at the top, nor datetime in the entries. */
function withoutTopMetadata(id: string, type: DocumentType, section: string): Rule<SyncDocument> {
  return {
    id,
    severity: "error",
    sentence: "Under profile 0.8 there is no top-level rs:md, hence no from and until, and no datetime.",
    source: `${notification08} ${section}`,
    applies: (judged) => judged.profile === "0.8" && judged.type === type,
    check: ({ md, entries }) => [
      ...(md === undefined ? [] : [md]).map((element) => ({
        element,
        says: "a top-level rs:md came with later versions; leave it out, or send the notification as 1.0.1",
      })),
      ...entries
        .flatMap((entry) => entry.md ?? [])
        .filter((element) => attributeOf(element, "datetime") !== undefined)
        .map((element) => ({
          element,
          attribute: "datetime",
          says: '"datetime" came with later versions; profile 0.8 gives the time of the change as lastmod',
        })),
    ],
  };
}

/** What a document says that it is, or its root does; where that is not what is wanted. */
function otherType({ root, md, form }: SyncDocument, { wanted, type }: Judged): Complaint | undefined {
  if (wanted === undefined) return undefined;
  const capability = md === undefined ? undefined : attributeOf(md, "capability");
  // C01 and V01 speak of what is missing.
  if (md !== undefined && capability !== undefined) {
    // CN08, CN09 and SD05 speak of the older names.
    const isNamed = isCapability(capability) || isFormerName(capability);
    const isWanted =
      wanted === "a notification" ? isNotification(type) : capabilityOf(type) === capabilityOf(wanted);
    if (!isNamed || !isWanted) {
      const expected = wanted === "a notification" ? kinds : capabilityOf(wanted);
      const says = `the document has the capability "${capability}", but ${expected} is expected here`;
      return { element: md, attribute: "capability", says };
    }
  }
  // CN01, FN01 and V03 speak of an index that cannot be.
  if (wanted === "a notification" || isNotification(wanted) || wanted === type) return undefined;
  if (form === undefined || wanted.endsWith("-manifest")) return undefined;
  const says =
    form === "sitemapindex"
      ? `<${root.name}> makes this an index, but the plain document is expected here`
      : `<${root.name}> makes this a plain document, but an index is expected here`;
  return { element: root, says };
}

/** S01, CN11, FN13: what is asked of notifications of both kinds. */
export const rulesOfNotifications: RuleFamily = {
  ofDocuments: [
    {
      id: "S01",
      severity: "error",
      sentence:
        "The document is of the type that is expected; change and framework notifications never share a channel.",
      source: `${changeNotification} §2, §3`,
      check: otherType,
    },
    withoutTopMetadata("CN11", "change-notification", "§4"),
    withoutTopMetadata("FN13", "framework-notification", "§5"),
  ],
};
