import { describe, expect, test } from "vitest";
import { startCallbackServer } from "../support/callback-server.ts";
import { changeNotification } from "../support/documents.ts";
import { writeHubFile } from "../support/hub-file.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { ask } from "../support/subscribe.ts";
import { waitUntil } from "../support/wait-until.ts";

describe.each(["embedded", "redis"] as const)("stopping the hub, %s engine", (engine) => {
  test("SIGTERM lets a running attempt finish, ends with 0, and the next start delivers what is left, once", async () => {
    await using settings = await writeHubFile({ engine });
    await using callbacks = await startCallbackServer();
    const hub = await startHubProcess(settings.file, settings.port);
    await ask(settings, callbacks);
    await waitUntil(() => expect(hub.output()).toContain("intent confirmed"));
    callbacks.answerDeliveries({ status: 204, delay: 1000 });
    const documents = [1, 2, 3].map((number) => changeNotification(number));
    for (const document of documents) await settings.publish(document);
    await waitUntil(() => expect(callbacks.deliveries.length).toBeGreaterThan(0));
    expect(await hub.end("SIGTERM")).toBe(0);
    expect(callbacks.deliveries.length).toBeLessThan(3);

    await using again = await startHubProcess(settings.file, settings.port);
    await waitUntil(
      () => expect(callbacks.deliveries.map(({ body }) => body.toString())).toEqual(documents),
      30,
    );
    await again.end("SIGTERM");
  }, 60_000);

  test("a callback that never answers does not keep the hub longer than shutdown.within; a second signal ends it at once", async () => {
    await using settings = await writeHubFile({ engine });
    await using callbacks = await startCallbackServer();
    callbacks.answerDeliveries({ hang: true });
    const hub = await startHubProcess(settings.file, settings.port);
    await ask(settings, callbacks);
    await waitUntil(() => expect(hub.output()).toContain("intent confirmed"));
    await settings.publish(changeNotification(1));
    await waitUntil(() => expect(callbacks.deliveries.length).toBeGreaterThan(0));
    const begun = Date.now();
    hub.signal("SIGTERM");
    await waitUntil(() => expect(hub.output()).toContain("stopping"));
    hub.signal("SIGTERM");
    await hub.ended;
    expect(Date.now() - begun).toBeLessThan(10_000);
  }, 30_000);

  test("a reader is told where to resume", async () => {
    await using settings = await writeHubFile({ engine });
    const hub = await startHubProcess(settings.file, settings.port);
    const socket = new (await import("ws")).WebSocket(
      `ws://127.0.0.1:${settings.port}/sets/maps/change-notification?after=earliest`,
    );
    const frames: string[] = [];
    socket.on("message", (data: Buffer) => frames.push(data.toString()));
    const closed = new Promise<[number, string]>((resolve) =>
      socket.once("close", (code, reason) => resolve([code, reason.toString()])),
    );
    await settings.publish(changeNotification(1));
    await waitUntil(() => expect(frames).toHaveLength(1));
    expect(await hub.end("SIGTERM")).toBe(0);
    const [code, reason] = await closed;
    expect(code).toBe(1001);
    expect(reason).toMatch(/after=[0-9a-z]+-1/);
  }, 30_000);
});
