import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listenToChannel } from "../../src/index.ts";
import { changeNotification } from "../support/documents.ts";
import { writeHubFile } from "../support/hub-file.ts";
import { startHubProcess } from "../support/hub-process.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A megabyte: the store has room for some notifications of 50 kB. */
const largestFile = 2000;
const large = (number: number): string =>
  changeNotification(number, { padding: `<!--${"x".repeat(50_000)}-->` });

test("where the disk is full, publishing answers 503, the hub goes on, and all that it acknowledged is there", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  const hub = await startHubProcess(settings.file, settings.port, {}, largestFile);
  const acknowledged: string[] = [];
  let refused = 0;
  for (let number = 1; refused < 3; number += 1) {
    const { status } = await settings.publish(large(number));
    if (status === 202) acknowledged.push(large(number));
    else refused += 1;
    expect([202, 503]).toContain(status);
    expect(number).toBeLessThan(100);
  }
  expect((await fetch(`http://127.0.0.1:${settings.port}/livez`)).status).toBe(200);
  expect(await hub.end("SIGTERM")).toBe(0);

  await using again = await startHubProcess(settings.file, settings.port);
  const last = changeNotification(1000);
  expect((await settings.publish(last)).status).toBe(202);
  const received: string[] = [];
  const channel = `http://127.0.0.1:${settings.port}/sets/maps/change-notification`;
  for await (const message of listenToChannel(channel, { after: "earliest" })) {
    if (message.type !== "notification") continue;
    received.push(message.payload);
    if (message.payload === last) break;
  }
  expect(received).toEqual([...acknowledged, last]);
  expect(await again.end("SIGTERM")).toBe(0);
}, 60_000);

test("a log that cannot be written stops nothing", async () => {
  await using settings = await writeHubFile({ engine: "embedded" });
  const main = join(import.meta.dirname, "../../dist/cli/main.js");
  const hub = spawn(process.execPath, [main, "serve", "--config", settings.file], {
    stdio: ["ignore", "ignore", openSync("/dev/full", "w")],
  });
  const ended = once(hub, "exit");
  try {
    await waitUntil(async () => expect((await fetch(`${settings.baseUrl}/readyz`)).status).toBe(200), 20);
    expect((await settings.publish(changeNotification(1))).status).toBe(202);
    expect((await settings.publish("<no")).status).toBe(400);
  } finally {
    hub.kill("SIGTERM");
  }
  expect(await ended).toEqual([0, null]);
}, 60_000);
