import { parseHttpUrl } from "../protocol/http-url.ts";
import { instantAt, type Instant, parseInstant } from "../protocol/instant.ts";
import { type ChangeToWrite, writeChangeNotification } from "../protocol/write-notification.ts";

export interface Change {
  /** An absolute http(s) URI. */
  readonly uri: string;
  readonly change: "created" | "updated" | "deleted";
  /** A W3C Datetime; when it is not given, `until`. */
  readonly datetime?: string;
  /** Such as `sha-256:…`, several separated by spaces. */
  readonly hash?: string;
  /** Bytes. */
  readonly length?: number;
  /** Media type. */
  readonly type?: string;
}

export interface NotificationOptions {
  /** W3C Datetime; when it is not given, the time of the oldest change. */
  readonly from?: string;
  /** W3C Datetime; when it is not given, now. */
  readonly until?: string;
  /** Written as the link `up`. */
  readonly capabilityListUrl?: string;
}

/** What was given makes no notification that a hub would take. The message names every fault. */
export class CannotBuildNotification extends Error {
  override name = "CannotBuildNotification";
  readonly mayRetry = false;
}

/**
 * A valid change notification 1.0.1. Successive notifications are to cover adjoining intervals (§3): give as `from` what
 * the one before had as `until`. Throws `CannotBuildNotification`.
 */
export function buildNotification(changes: readonly Change[], options: NotificationOptions = {}): string {
  const faults: string[] = [];
  const instantOf = (text: string, what: string): Instant => {
    const instant = parseInstant(text);
    if (instant === undefined) {
      faults.push(
        `${what} is ${JSON.stringify(text)}, which is no W3C Datetime such as 2026-01-03T00:07:22Z`,
      );
    }
    return instant ?? now;
  };
  const now = instantAt(Date.now());
  const until = options.until === undefined ? now : instantOf(options.until, "until");
  const written = changes.map((change, index): ChangeToWrite => {
    const url = parseHttpUrl(change.uri);
    if ("fault" in url)
      faults.push(`the URI of change ${index + 1}, ${JSON.stringify(change.uri)}, ${url.fault}`);
    const datetime =
      change.datetime === undefined
        ? until
        : instantOf(change.datetime, `the datetime of change ${index + 1}`);
    const { uri, change: kind, hash, length, type } = change;
    return kind === "deleted"
      ? { uri, change: kind, datetime }
      : { uri, change: kind, datetime, hash, length, type };
  });
  if (changes.length === 0) faults.push("there is no change in it");
  const times = written.map(({ datetime }) => datetime).toSorted();
  const from = options.from === undefined ? (times[0] ?? until) : instantOf(options.from, "from");
  if (from > until) faults.push("from is later than until");
  if (faults.length === 0 && ((times[0] ?? from) < from || (times.at(-1) ?? until) > until)) {
    faults.push("a change lies outside the interval from from to until");
  }
  if (faults.length > 0)
    throw new CannotBuildNotification(`No notification can be built: ${faults.join("; ")}.`);
  return writeChangeNotification({
    from,
    until,
    capabilityListUrl: options.capabilityListUrl,
    changes: written,
  });
}
