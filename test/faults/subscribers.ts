import { z } from "zod";
import type { Callback } from "./callbacks.ts";
import { ask, holdsWithin } from "./control.ts";
import { adminToken, channelPath, type World } from "./world.ts";

const listed = z.object({ subscriptions: z.array(z.object({ callback: z.string() })) });

/** Callbacks that the hub has a subscription of. */
async function subscribed({ hubs }: World): Promise<Set<string>> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const { status, body } = await ask(hubs[0].hub.port, "/api/v1/subscriptions?limit=500", { headers });
  if (status !== 200) throw new Error(`the operators' API answered ${status}: ${body}`);
  return new Set(listed.parse(JSON.parse(body)).subscriptions.map(({ callback }) => callback));
}

async function askHub(
  { hubs, baseUrl }: World,
  mode: "subscribe" | "unsubscribe",
  callback: Callback,
): Promise<void> {
  const form = new URLSearchParams({
    "hub.mode": mode,
    "hub.topic": `${baseUrl}${channelPath}`,
    "hub.callback": callback.url,
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { port } = (hubs[1] ?? hubs[0]).hub;
  // As a subscriber does that is told to come back, or gets no answer.
  const isAccepted = async (): Promise<boolean> => {
    const asked = await ask(port, "/websub", { method: "POST", headers, body: form.toString() }).catch(
      () => undefined,
    );
    if (asked !== undefined && asked.status !== 202 && asked.status !== 503)
      throw new Error(`${mode} was answered with ${asked.status}: ${asked.body}`);
    return asked?.status === 202;
  };
  if (!(await holdsWithin(60, isAccepted, 100)))
    throw new Error(`${mode}: the hub took no request for a minute`);
}

/** Subscribes them, with verification of intent; resolves when the hub has them all. */
export async function subscribeAll(world: World, callbacks: readonly Callback[]): Promise<void> {
  const verifiedBefore = new Map(callbacks.map((callback) => [callback.url, callback.verifications()]));
  await Promise.all(callbacks.map((callback) => askHub(world, "subscribe", callback)));
  const wasAsked = ({ url, verifications }: Callback): boolean =>
    verifications() > (verifiedBefore.get(url) ?? 0);
  const allThere = async (): Promise<boolean> => {
    const there = await subscribed(world).catch(() => new Set());
    // One that is gone may have ended its subscription by now.
    return callbacks.every((one) => there.has(one.url) || (one.kind === "gone" && wasAsked(one)));
  };
  if (!(await holdsWithin(60, allThere)))
    throw new Error("not all subscriptions were confirmed within a minute");
}

/** Answers those that are still there after `seconds`. */
export async function unsubscribeAll(world: World, callbacks: readonly Callback[], seconds: number) {
  const there = await subscribed(world);
  await Promise.all(
    callbacks.filter(({ url }) => there.has(url)).map((one) => askHub(world, "unsubscribe", one)),
  );
  let left = there;
  await holdsWithin(seconds, async () => {
    left = await subscribed(world);
    return left.size === 0;
  });
  return [...left];
}
