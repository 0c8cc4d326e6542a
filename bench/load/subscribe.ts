import { metricOf, until } from "../harness/metrics.ts";
import { inParallel } from "./publisher.ts";

export const secretOf = (callback: string): string => `secret-of-${callback}`;

/** A hub lets so many of one host's verifications wait, and not many more. */
const batch = 50;

/** Subscribes the callbacks as subscribers do, with verification of intent; resolves when all are confirmed. */
export async function subscribeAll(
  hub: { readonly port: number; readonly baseUrl: string; readonly path: string },
  callbacks: readonly string[],
): Promise<void> {
  const confirmed = (): Promise<number> =>
    metricOf([hub], "hub_intent_verifications_total", 'outcome="confirmed"');
  const before = await confirmed();
  for (let at = 0; at < callbacks.length; at += batch) {
    const some = callbacks.slice(at, at + batch);
    await inParallel(some.length, batch, (index) => subscribe(hub, some[index] ?? ""));
    await until(
      async () => (await confirmed()) === before + at + some.length,
      "the hub has not confirmed all subscriptions",
    );
  }
}

async function subscribe(
  hub: { readonly port: number; readonly baseUrl: string; readonly path: string },
  callback: string,
): Promise<void> {
  const form = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.topic": `${hub.baseUrl}${hub.path}`,
    "hub.callback": callback,
    "hub.secret": secretOf(callback),
  });
  const response = await fetch(`http://127.0.0.1:${hub.port}/websub`, { method: "POST", body: form });
  if (response.status !== 202)
    throw new Error(`the hub answered ${response.status}: ${await response.text()}`);
}
