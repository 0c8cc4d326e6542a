import { comparableUrl } from "../protocol/websub.ts";
import type { ExpectedSubscription, Lease, SubscriptionNews } from "./callback-subscription.ts";

export interface CallbackAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the subscription is to be told once the answer is sent. */
  readonly news?: SubscriptionNews;
}

/** Only what WebSub §5.3 allows in a challenge, and no more than one needs: nothing that a browser could take for a page. */
const challengeShape = /^[-+./0-9=A-Z_a-z]{1,256}$/;
const maxReason = 500;

const notAsked: CallbackAnswer = { status: 404, body: "This is not what was asked for." };

/** WebSub §5.2 and §5.3: the challenge goes back only where this side wants what the hub was asked for. */
export function answerVerification(
  query: URLSearchParams,
  { topic, isEnded }: ExpectedSubscription,
  now: number,
): CallbackAnswer {
  const isOfTopic = comparableUrl(query.get("hub.topic") ?? "") === comparableUrl(topic);
  if (!isOfTopic) return notAsked;
  const challenge = query.get("hub.challenge") ?? "";
  switch (query.get("hub.mode") ?? "") {
    case "denied":
      return { status: 200, body: "", news: { kind: "denied", topic, reason: reasonOf(query) } };
    case "subscribe":
      if (isEnded || !challengeShape.test(challenge)) return notAsked;
      return {
        status: 200,
        body: challenge,
        news: { kind: "confirmed", topic, lease: leaseOf(query, now) },
      };
    case "unsubscribe":
      if (!isEnded || !challengeShape.test(challenge)) return notAsked;
      return { status: 200, body: challenge, news: { kind: "unsubscribed", topic } };
    default:
      return notAsked;
  }
}

function reasonOf(query: URLSearchParams): string {
  return (query.get("hub.reason") ?? "")
    .slice(0, maxReason)
    .replaceAll(/\p{C}+/gu, " ")
    .trim();
}

function leaseOf(query: URLSearchParams, now: number): Lease | undefined {
  const text = query.get("hub.lease_seconds") ?? "";
  const seconds = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return seconds === 0 ? undefined : { seconds, endsAt: now + seconds * 1000 };
}
