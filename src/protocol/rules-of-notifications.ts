import { type DocumentType, isCapability } from "./document-type.ts";
import { changeNotification, type Standing, notification08, type Rule, type RuleFamily } from "./rule.ts";
import { formerCapability } from "./rules-of-values.ts";
import type { SyncDocument } from "./sync-document.ts";
import { attributeOf } from "./xml-element.ts";

const isNotification = ({ type }: Standing): boolean =>
  type === "change-notification" || type === "framework-notification";

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

/** S01, CN11, FN13: what both kinds of notification have in common. */
export const rulesOfNotifications: RuleFamily = {
  ofDocuments: [
    {
      id: "S01",
      severity: "error",
      sentence: "The capability is that of the channel: change and framework notifications never share one.",
      source: `${changeNotification} §2, §3`,
      check: ({ md: element }, judged) => {
        const capability = element === undefined ? undefined : attributeOf(element, "capability");
        if (element === undefined || capability === undefined) return undefined; // C01, V01
        const { wanted, type } = judged;
        // CN08 and CN09 speak of the older names.
        const isNamed = isCapability(capability) || capability === formerCapability;
        if (isNamed && (wanted === undefined ? isNotification(judged) : type === wanted)) return undefined;
        const says = `the document has the capability "${capability}", but ${wanted ?? kinds} is expected here`;
        return { element, attribute: "capability", says };
      },
    },
    withoutTopMetadata("CN11", "change-notification", "§4"),
    withoutTopMetadata("FN13", "framework-notification", "§5"),
  ],
};
