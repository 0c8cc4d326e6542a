import type { Fault } from "./fault.ts";
import type { Instant } from "./instant.ts";
import { judgeDocument, type RefusalReason } from "./judge-document.ts";
import { defaultLimits, type ReadingLimits } from "./reading-limits.ts";
import type { AcceptedProfile, NotificationKind } from "./recognise-document.ts";
import type { Judged, Profile } from "./rule.ts";
import { linksOf, targetOf } from "./rules-of-links.ts";
import { instantOf } from "./rules-of-times.ts";

export type { AcceptedProfile, NotificationKind } from "./recognise-document.ts";

export interface CheckedNotification {
  readonly kind: NotificationKind;
  readonly profile: Profile;
  /** How many entries it has; none is legal: a sign of life for the interval. */
  readonly changes: number;
  /** `from` and `until` of the top-level rs:md. */
  readonly interval: { readonly from: Instant; readonly until: Instant } | undefined;
  /** Where the up link leads: the capability list, or above it. */
  readonly up: string | undefined;
  /** False where neither the interval nor any entry says when: two equal documents can then be two events. */
  readonly saysWhen: boolean;
}

export type NotificationVerdict =
  | {
      readonly kind: "valid";
      readonly notification: CheckedNotification;
      readonly warnings: readonly Fault[];
    }
  | {
      readonly kind: "refused";
      readonly because: RefusalReason;
      /** Errors and warnings, in document order; at most 100, of which the last then counts the rest. */
      readonly faults: readonly Fault[];
      /** `undefined` where the document could not be read. */
      readonly judgedAs: { readonly type: string; readonly profile: Profile } | undefined;
    };

function checkedNotification({ document, profile }: Judged, kind: NotificationKind): CheckedNotification {
  const { md, links, entries } = document;
  const [from, until] = [instantOf(md, "from"), instantOf(md, "until")];
  const interval = from === undefined || until === undefined ? undefined : { from, until };
  const [up] = linksOf(links, "up");
  return {
    kind,
    profile,
    changes: entries.length,
    interval,
    up: up === undefined ? undefined : targetOf(up),
    saysWhen:
      interval !== undefined ||
      entries.some(({ lastmod, datetime }) => lastmod !== undefined || datetime !== undefined),
  };
}

/**
 * Judges a notification as it came over the wire. `as` is the kind that the channel takes; `undefined`: recognised from
 * the document. Never throws, whatever the bytes.
 */
export function judgeNotification(
  payload: Uint8Array,
  as: NotificationKind | undefined,
  accepted: AcceptedProfile,
  limits: Partial<ReadingLimits> = {},
): NotificationVerdict {
  const verdict = judgeDocument(payload, as ?? "a notification", accepted, { ...defaultLimits, ...limits });
  if (verdict.kind === "unread") {
    return { kind: "refused", because: verdict.because, faults: [verdict.fault], judgedAs: undefined };
  }
  const { judged, errors, faults } = verdict;
  const { type, profile } = judged;
  const isNotification = type === "change-notification" || type === "framework-notification";
  if (errors > 0 || !isNotification) {
    return { kind: "refused", because: "breaks-rules", faults, judgedAs: { type, profile } };
  }
  return { kind: "valid", notification: checkedNotification(judged, type), warnings: faults };
}
