import { expect } from "vitest";
import type { CallbackServer } from "./callback-server.ts";
import type { TestHub } from "./start-hub.ts";
import { waitUntil } from "./wait-until.ts";

export interface SubscribeOptions {
  readonly mode?: "subscribe" | "unsubscribe";
  readonly channel?: string;
  /** Elsewhere; otherwise the topic of `channel`. */
  readonly topic?: string;
  readonly target?: string;
  readonly secret?: string;
  readonly leaseSeconds?: number;
}

/** Sends a request to the hub as a subscriber does; answers the hub's response. */
export function ask(
  hub: Pick<TestHub, "baseUrl">,
  callbacks: CallbackServer,
  options: SubscribeOptions = {},
) {
  const { mode = "subscribe", channel = "maps/change-notification", target, secret, leaseSeconds } = options;
  const form = new URLSearchParams({
    "hub.mode": mode,
    "hub.topic": options.topic ?? `${hub.baseUrl}/sets/${channel}`,
    "hub.callback": callbacks.url(target),
    ...(secret === undefined ? {} : { "hub.secret": secret }),
    ...(leaseSeconds === undefined ? {} : { "hub.lease_seconds": String(leaseSeconds) }),
  });
  return fetch(`${hub.baseUrl}/websub`, { method: "POST", body: form });
}

const confirmed = async (hub: TestHub): Promise<number> => {
  const text = await (await hub.get("/metrics")).text();
  const counts = [...text.matchAll(/^hub_intent_verifications_total\{.*outcome="confirmed".*\} (\d+)$/gm)];
  return counts.reduce((sum, match) => sum + Number(match[1]), 0);
};

/** The same, and waits until the hub has confirmed it. */
export async function subscribe(
  hub: TestHub,
  callbacks: CallbackServer,
  options: SubscribeOptions = {},
): Promise<void> {
  const before = await confirmed(hub);
  expect((await ask(hub, callbacks, options)).status).toBe(202);
  await waitUntil(async () => expect(await confirmed(hub)).toBe(before + 1));
}
