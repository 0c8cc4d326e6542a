import { describe, expect, test } from "vitest";
import { listenToChannel } from "../../src/index.ts";
import { acceptance } from "../support/answers.ts";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { writeHubFile } from "../support/hub-file.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { ask } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";

describe.each(["embedded", "redis"] as const)("kill -9 of the hub, %s engine", (engine) => {
  test("every acknowledged notification survives and is delivered in order; at most one comes twice, with the same webhook-id", async () => {
    await using settings = await writeHubFile({ engine });
    await using callbacks = await startCallbackServer();
    const hub = await startHubProcess(settings.file, settings.port);
    await ask(settings, callbacks);
    await waitUntil(() => expect(hub.output()).toContain("intent confirmed"));

    const acknowledged: string[] = [];
    const killed = waitUntil(() => expect(acknowledged.length).toBeGreaterThan(30)).then(() =>
      hub.end("SIGKILL"),
    );
    for (let number = 1; number < 10_000; number += 1) {
      const document = changeNotification(number);
      const response = await settings.publish(document).catch(() => undefined);
      if (response === undefined) break;
      expect(response.status).toBe(202);
      acknowledged.push(document);
    }
    await killed;
    // The one that was under way when the hub died may be in the log, without having been acknowledged.
    await using again = await startHubProcess(settings.file, settings.port);
    const last = changeNotification(20_000);
    expect((await settings.publish(last)).status).toBe(202);

    await waitUntil(() => expect(callbacks.deliveries.at(-1)?.body.toString()).toBe(last), 45);
    const byId = new Map(
      callbacks.deliveries.map(({ headers, body }) => [headers["webhook-id"], body.toString()]),
    );
    const received = [...byId.values()];
    const unacknowledged = received.filter((document) => ![...acknowledged, last].includes(document));
    expect(unacknowledged.length).toBeLessThanOrEqual(1);
    expect(received).toEqual([...acknowledged, ...unacknowledged, last]);
    expect(callbacks.deliveries.length - received.length).toBeLessThanOrEqual(1);
    expect(await again.end("SIGTERM")).toBe(0);
  }, 90_000);

  test("a reader who comes back with its position after the crash gets what followed, and no gap", async () => {
    await using settings = await writeHubFile({ engine });
    const first = await startHubProcess(settings.file, settings.port);
    const { position } = await acceptance(await settings.publish(changeNotification(1)));
    await settings.publish(changeNotification(2));
    await first.end("SIGKILL");

    await using again = await startHubProcess(settings.file, settings.port);
    await settings.publish(changeNotification(3));
    const stop = new AbortController();
    const channel = `http://127.0.0.1:${settings.port}/sets/maps/change-notification`;
    const payloads: string[] = [];
    for await (const message of listenToChannel(channel, { after: position, signal: stop.signal })) {
      expect(message.type).not.toBe("gap");
      if (message.type === "notification") payloads.push(message.payload);
      if (message.type === "caught-up") break;
    }
    expect(payloads).toEqual([changeNotification(2), changeNotification(3)]);
    await again.end("SIGTERM");
  }, 60_000);
});

test("two hub processes on one Redis: what is published at one reaches the readers and the callbacks of both", async () => {
  const prefix = `t${crypto.randomUUID().slice(0, 8)}`;
  await using a = await writeHubFile({ engine: "redis", prefix });
  await using b = await writeHubFile({ engine: "redis", prefix, baseUrl: a.baseUrl });
  await using hubA = await startHubProcess(a.file, a.port);
  await using hubB = await startHubProcess(b.file, b.port);
  await using callbacks = await startCallbackServer();
  await ask(b, callbacks);
  await waitUntil(() => expect(hubA.output() + hubB.output()).toContain("intent confirmed"));

  const stop = new AbortController();
  const read = async (port: number): Promise<string[]> => {
    const payloads: string[] = [];
    const channel = `http://127.0.0.1:${port}/sets/maps/change-notification`;
    for await (const message of listenToChannel(channel, { after: "earliest", signal: stop.signal })) {
      if (message.type === "notification") payloads.push(message.payload);
      if (payloads.length === 20) break;
    }
    return payloads;
  };
  const readers = [read(a.port), read(b.port)];
  const documents = Array.from({ length: 20 }, (_, index) => changeNotification(index + 1));
  for (const [index, document] of documents.entries()) {
    expect((await (index % 2 === 0 ? a : b).publish(document)).status).toBe(202);
  }
  for (const payloads of await Promise.all(readers)) expect(payloads).toEqual(documents);
  await waitUntil(
    () => expect(callbacks.deliveries.map(({ body }) => body.toString())).toEqual(documents),
    20,
  );
  stop.abort();
}, 60_000);
