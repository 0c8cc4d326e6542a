import { callbackWith, newChallenge } from "../protocol/websub.ts";
import type { OutboundAnswer } from "../security/http-exchange.ts";
import { AddressRefused, isOutboundError } from "../security/outbound-errors.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import { sameSecret } from "../security/same-secret.ts";
import type { QuestionGuard } from "./question-guard.ts";
import type { IntentRequest } from "./subscription.ts";

/** `not-now`: its address was asked enough under names that never confirmed; nothing was sent. */
type Answered =
  { readonly kind: "confirmed" } | { readonly kind: "refused" | "not-now"; readonly reason: string };

interface Parts {
  readonly outbound: Pick<OutboundHttp, "request">;
  readonly questions?: Pick<QuestionGuard, "isSpent" | "confirmed">;
  /** Milliseconds for the callback to answer. */
  readonly timeout: number;
  readonly abandon?: AbortSignal;
}

/** The challenge has 43 bytes: what goes on after it is wrong anyway. */
const maxAnswerBytes = 1024;

/** Asks callbacks whether they want what is asked in their name (WebSub §5.3). The secret is no part of the question. */
export function askCallbacks({ outbound, questions, timeout, abandon }: Parts) {
  return async ({ mode, topic, callback }: IntentRequest, leaseSeconds: number): Promise<Answered> => {
    const challenge = newChallenge();
    const url = callbackWith(callback, {
      "hub.mode": mode,
      "hub.topic": topic,
      "hub.challenge": challenge,
      ...(mode === "subscribe" ? { "hub.lease_seconds": String(leaseSeconds) } : {}),
    });
    try {
      const bounds = { timeout, maxBytes: maxAnswerBytes, signal: abandon };
      const answer = await outbound.request({ method: "GET", url, headers: {}, ...bounds });
      const reason = refusalIn(answer, challenge);
      if (reason !== undefined) return { kind: "refused", reason };
      questions?.confirmed(callback);
      return { kind: "confirmed" };
    } catch (error) {
      if (!isOutboundError(error)) throw error;
      const isSpent = error instanceof AddressRefused && questions?.isSpent(callback) === true;
      return { kind: isSpent ? "not-now" : "refused", reason: error.message };
    }
  };
}

/** Why an answer confirms nothing; `undefined` where it does. */
function refusalIn({ status, body, truncated }: OutboundAnswer, challenge: string): string | undefined {
  if (status < 200 || status > 299) return `the callback answered ${status}, not 2xx (WebSub §5.3.1)`;
  if (!truncated && sameSecret(body, challenge)) return undefined;
  return `the callback answered ${status}, but its body is not exactly the challenge (WebSub §5.3.1)`;
}
