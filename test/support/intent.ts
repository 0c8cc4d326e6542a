import { randomUUID } from "node:crypto";
import { channelIdOf, type Channel, parseSetId } from "../../src/channels/channel.ts";
import { createEvents } from "../../src/observability/events.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { sha256Hex } from "../../src/protocol/hash.ts";
import type { NotificationLog } from "../../src/log/notification-log.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { subscriptionIdOf } from "../../src/subscriptions/subscription-id.ts";
import type { IntentRequest, MayReceive } from "../../src/subscriptions/subscription.ts";
import { denySubscriptions } from "../../src/subscriptions/deny.ts";
import { createIntentVerifier, type ValidateSubscription } from "../../src/subscriptions/verify-intent.ts";
import { startCallbackServer } from "./callback-server.ts";
import { openEngine } from "./engines.ts";

const set = parseSetId("maps");
if (set === undefined) throw new Error("not the id of a set");
const baseUrl = "https://hub.example";
const url = `${baseUrl}/sets/maps/change-notification`;

/** The one channel of these tests. */
export const channel: Channel = {
  id: channelIdOf(set, "change-notification"),
  set,
  isPrivate: false,
  kind: "change-notification",
  profile: "auto",
  url,
  socketUrl: url.replace("http", "ws"),
  topic: url,
  hubUrl: `${baseUrl}/websub`,
  capabilityListUrl: `${baseUrl}/sets/maps/capabilitylist.xml`,
};

/** A callback server, the embedded engine, and a verifier between them. */
export async function startIntentParts(
  options: {
    readonly now?: () => number;
    readonly timeout?: number;
    readonly validate?: ValidateSubscription;
    readonly mayReceive?: MayReceive;
  } = {},
) {
  const { now = Date.now, timeout = 2000, mayReceive = () => true } = options;
  const callback = await startCallbackServer();
  const engine = await openEngine("embedded");
  const lines: string[] = [];
  const logger = createLogger(
    { level: "debug", format: "json" },
    { write: (line: string) => void lines.push(line) },
  );
  const events = createEvents(logger, createMetrics());
  const outbound = createOutboundHttp({ allow: ["127.0.0.1"], events, userAgent: "hub/test" });
  const { log, subscriptions: store, wakeUps } = engine;
  const deny = denySubscriptions({ outbound, events, timeout });
  const validate = options.validate ?? (async () => ({ kind: "valid" }) as const);
  const asking = { outbound, wakeUps, validate, mayReceive, deny, timeout, secretGrace: 60_000 };
  const verifier = createIntentVerifier({ ...asking, store, log, events, now });
  return {
    callback,
    store,
    log,
    wakeUps,
    ledger: engine.ledger,
    events,
    deny,
    mayReceive,
    verifier,
    /** What was logged, as one text. */
    logged: () => lines.join(""),
    /** A request for `callback`, remembered as the hub does before it verifies. */
    async remembered(changes: Partial<IntentRequest> = {}): Promise<IntentRequest> {
      const target = changes.callback ?? callback.url();
      const request: IntentRequest = {
        id: randomUUID(),
        mode: "subscribe",
        subscription: subscriptionIdOf(channel.id, channel.topic, target),
        channel: channel.id,
        topic: channel.topic,
        callback: target,
        secret: undefined,
        leaseSeconds: 600,
        authority: undefined,
        askedAt: now(),
        ...changes,
      };
      await store.remember(request, now() + 60_000);
      return request;
    },
    find: (target = callback.url()) =>
      store.find(channel.id, subscriptionIdOf(channel.id, channel.topic, target)),
    /** Requests that are still remembered, whoever they were left to. */
    unfinished: () => store.takeOverdue(Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER, 100),
    [Symbol.asyncDispose]: async () => {
      await callback[Symbol.asyncDispose]();
      await outbound.close();
      await engine[Symbol.asyncDispose]();
    },
  };
}

export async function append(log: NotificationLog, text: string): Promise<number> {
  const outcome = await log.append(channel.id, {
    payload: Buffer.from(text),
    contentType: "application/xml",
    digest: sha256Hex(text),
    interval: undefined,
    receipt: "",
    idempotencyKey: undefined,
    repeatWindow: 0,
    refuseOverlap: false,
  });
  if (outcome.kind !== "appended") throw new Error(outcome.kind);
  return outcome.entry.sequence;
}
