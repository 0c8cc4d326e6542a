import { randomUUID } from "node:crypto";
import { formatInstant, parseInstant } from "../protocol/instant.ts";
import { buildNotification, type Change } from "./build-notification.ts";
import { latestUntil } from "./latest-until.ts";
import { NotAChannel, publishNotification, type PublishOutcome } from "./publish-notification.ts";

export interface PublisherOptions {
  readonly channelUrl: string | URL;
  readonly token: string;
  /** Written into every notification as the link `up`. */
  readonly capabilityListUrl?: string;
  /** How often a notification is sent at most while the hub cannot be reached; 5 unless it is set. */
  readonly attempts?: number;
  readonly signal?: AbortSignal;
}

/** `document` is the notification as it was sent. */
export type Published = PublishOutcome & { readonly document: string };

export interface Publisher {
  /**
   * Publishes the changes in a notification whose interval begins where the one before ended, also before this program
   * started; an older change makes it begin with that change, of which the hub warns (S02). `until` is a W3C Datetime: when
   * the changes were collected; now, where it is not given. One notification after the other, in the order of the calls.
   *
   * Throws `CannotBuildNotification`, `NotAChannel`, and `HubUnreachable`: then call it again with the same changes, and the very
   * same notification is sent again, which is never published twice.
   */
  publish(changes: readonly Change[], options?: { readonly until?: string }): Promise<Published>;
}

interface Pending {
  /** What the caller gave, to know it again. */
  readonly given: string;
  readonly until: string;
  readonly payload: string;
  readonly idempotencyKey: string;
}

/** The usual loop of a Source: collect what changed, publish it, and go on from there. Use one for each channel. */
export function createPublisher(options: PublisherOptions): Publisher {
  const { channelUrl, token, capabilityListUrl, attempts = 5, signal } = options;
  let lastUntil: string | undefined;
  let pending: Pending | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function build(
    changes: readonly Change[],
    given: string,
    until = new Date().toISOString(),
  ): Promise<Pending> {
    lastUntil ??= await latestUntil(channelUrl, token);
    const from = lastUntil === undefined ? undefined : beginning(lastUntil, until, changes);
    const payload = buildNotification(changes, {
      ...(from === undefined ? {} : { from }),
      until,
      ...(capabilityListUrl === undefined ? {} : { capabilityListUrl }),
    });
    return { given, until, payload, idempotencyKey: randomUUID() };
  }

  /** What is pending stays so until the hub has decided: it may be in the log already. */
  async function send(notification: Pending): Promise<Published> {
    pending = notification;
    const { payload, idempotencyKey, until } = notification;
    const stop = signal === undefined ? {} : { signal };
    try {
      const outcome = await publishNotification(channelUrl, payload, {
        token,
        idempotencyKey,
        attempts,
        ...stop,
      });
      if (outcome.kind === "accepted") lastUntil = until;
      pending = undefined;
      return { ...outcome, document: payload };
    } catch (error) {
      if (error instanceof NotAChannel) pending = undefined;
      throw error;
    }
  }

  async function publishNext(changes: readonly Change[], until: string | undefined): Promise<Published> {
    const given = JSON.stringify(changes);
    if (pending !== undefined) {
      const isSame = pending.given === given;
      const outcome = await send(pending);
      if (isSame) return outcome;
    }
    return send(await build(changes, given, until));
  }

  return {
    publish(changes, { until } = {}) {
      const publishing = last.then(() => publishNext(changes, until));
      last = publishing.catch(() => {});
      return publishing;
    },
  };
}

/** `undefined` leaves it to the oldest change: a latest notification that reaches into the future leaves nothing to adjoin. */
function beginning(lastUntil: string, until: string, changes: readonly Change[]): string | undefined {
  const [last, end] = [parseInstant(lastUntil), parseInstant(until)];
  if (last === undefined || end === undefined || last > end) return undefined;
  const times = changes.flatMap(({ datetime = until }) => parseInstant(datetime) ?? []);
  return formatInstant(times.reduce((one, other) => (other < one ? other : one), last));
}
