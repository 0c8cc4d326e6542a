import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import {
  type CallbackReceiverOptions,
  createCallbackReceiver,
  createPublisher,
  keepSubscribed,
  type ReceivedNotification,
} from "../../src/index.ts";
import { closeServer, listenOnLoopback } from "../live/listen-on-loopback.ts";
import { publisherToken as token, startTestHub } from "../support/start-hub.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A Destination as our own documentation has it built. */
async function startDestination(options: Partial<CallbackReceiverOptions> = {}) {
  const received: ReceivedNotification[] = [];
  const errors: unknown[] = [];
  const server = createServer();
  const receiver = createCallbackReceiver({
    url: await listenOnLoopback(server),
    onNotification: (notification) => void received.push(notification),
    onError: (error) => errors.push(error),
    ...options,
  });
  server.on("request", receiver.handle);
  return { receiver, received, errors, [Symbol.asyncDispose]: () => closeServer(server) };
}

const uri = (number: number): string => `https://maps.example.org/maps/${number}`;

describe.each(["embedded", "redis"] as const)("the library at both ends of a hub, %s engine", (engine) => {
  test("what a Source publishes reaches the Destination signed, in order, byte for byte, once", async () => {
    await using hub = await startTestHub({ engine });
    await using destination = await startDestination();
    const topic = `${hub.baseUrl}/sets/maps/change-notification`;
    const secret = "a secret of the Destination";
    await using kept = await keepSubscribed({ receiver: destination.receiver, topic, secret });
    expect([kept.hub, kept.subscription.topic]).toEqual([`${hub.baseUrl}/websub`, topic]);
    const publisher = createPublisher({ channelUrl: topic, token });
    const documents: string[] = [];
    for (let number = 1; number <= 10; number += 1) {
      documents.push((await publisher.publish([{ uri: uri(number), change: "updated" }])).document);
    }
    await waitUntil(() => expect(destination.received).toHaveLength(10));
    expect(destination.received.map(({ payload }) => payload.toString())).toEqual(documents);
    for (const notification of destination.received) {
      expect(notification).toMatchObject({ topic, contentType: "application/xml", attempt: 1 });
    }
    expect(destination.errors).toEqual([]);
  });

  test("a handler that throws gets the same notification again, before the next one", async () => {
    await using hub = await startTestHub({ engine });
    const taken: (readonly [string | undefined, number | undefined])[] = [];
    await using destination = await startDestination({
      onNotification({ id, attempt }) {
        taken.push([id, attempt]);
        if (taken.length <= 2) throw new Error("the index is locked");
      },
    });
    const topic = `${hub.baseUrl}/sets/maps/change-notification`;
    await using kept = await keepSubscribed({ receiver: destination.receiver, topic });
    expect(kept.subscription.secrets).toEqual([]);
    const publisher = createPublisher({ channelUrl: topic, token });
    await publisher.publish([{ uri: uri(1), change: "created" }]);
    await publisher.publish([{ uri: uri(1), change: "deleted" }]);
    await waitUntil(() => expect(taken).toHaveLength(4));
    expect(taken.map(([, attempt]) => attempt)).toEqual([1, 2, 3, 1]);
    expect(new Set(taken.slice(0, 3).map(([id]) => id)).size).toBe(1);
    expect(taken[3]?.[0]).not.toBe(taken[0]?.[0]);
  });

  test("a secret that changes loses nothing, and after unsubscribing nothing comes", async () => {
    await using hub = await startTestHub({ engine });
    await using destination = await startDestination();
    const topic = `${hub.baseUrl}/sets/maps/change-notification`;
    const { receiver, received } = destination;
    const states: string[] = [];
    const kept = await keepSubscribed({
      receiver,
      topic,
      secret: "first",
      onState: ({ kind }) => states.push(kind),
    });
    await using witness = await keepSubscribed({ receiver, topic, secret: "another" });
    const publisher = createPublisher({ channelUrl: topic, token });
    await publisher.publish([{ uri: uri(1), change: "created" }]);
    kept.subscription.rotateSecret("second");
    kept.renew();
    await waitUntil(() => expect(states).toEqual(["asking", "confirmed", "asking", "confirmed"]));
    await publisher.publish([{ uri: uri(2), change: "created" }]);
    await waitUntil(() => expect(received).toHaveLength(4));
    expect(await kept.unsubscribe()).toEqual({ kind: "unsubscribed" });
    await publisher.publish([{ uri: uri(3), change: "created" }]);
    await waitUntil(() => expect(received).toHaveLength(5));
    expect(witness.subscription.isEnded).toBe(false);
    expect(destination.errors).toEqual([]);
  });
});

test("a topic that the hub does not have is refused at once, with the hub's words", async () => {
  await using hub = await startTestHub();
  await using destination = await startDestination();
  const wish = {
    receiver: destination.receiver,
    hub: `${hub.baseUrl}/websub`,
    topic: `${hub.baseUrl}/sets/stamps/change-notification`,
  };
  await expect(keepSubscribed(wish)).rejects.toThrow(/404: .*\.well-known\/resourcesync/);
});
