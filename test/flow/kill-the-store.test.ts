import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { findPlace } from "../../src/log/place-in-log.ts";
import { parsePosition } from "../../src/protocol/position.ts";
import { openEngine, type TestEngine } from "../support/engines.ts";
import { newNotification, testChannel } from "../support/new-notification.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { waitUntil } from "../support/wait-until.ts";

const acknowledgement = z.object({ position: z.string(), sequence: z.number(), payload: z.string() });
type Acknowledged = z.infer<typeof acknowledgement>;

const channel = testChannel();
const program = fileURLToPath(new URL("../support/append-until-killed.ts", import.meta.url));

function startAppending(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, ["--import", "tsx", program, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: Acknowledged[] = [];
  const lines = createInterface({ input: child.stdout! });
  // A line that was cut off by the kill was not acknowledged to anybody.
  lines.on("line", (line) => {
    if (line.endsWith("}")) acknowledged.push(acknowledgement.parse(JSON.parse(line)));
  });
  const ended = Promise.all([once(child, "exit"), once(lines, "close")]);
  return {
    acknowledged,
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function expectAllHeld({ log }: TestEngine, acknowledged: readonly Acknowledged[]): Promise<void> {
  const bounds = await log.bounds(channel);
  const held = new Map<number, string>();
  for (let after = 0; after < bounds.newest; after += 500) {
    for (const { sequence, payload } of await log.read(channel, after, 500))
      held.set(sequence, payload.toString());
  }
  expect(held.size, "no hole").toBe(bounds.newest);
  for (const { position, sequence, payload } of acknowledged) {
    expect(held.get(sequence)).toBe(payload);
    expect(findPlace(bounds, parsePosition(position)!)).toEqual({ kind: "held", sequence });
  }
  expect(await log.append(channel, newNotification(`<after-${bounds.newest}/>`))).toMatchObject({
    kind: "appended",
    entry: { sequence: bounds.newest + 1 },
  });
}

test("a hub that is killed three times while it appends keeps everything that it acknowledged", async () => {
  const directory = await mkdtemp(join(tmpdir(), "hub-kill-"));
  try {
    const all: Acknowledged[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const hub = startAppending("embedded", directory);
      await waitUntil(() => expect(hub.acknowledged.length).toBeGreaterThan(300 * round), 20);
      await hub.kill();
      all.push(...hub.acknowledged);
      await using engine = await openEngine("embedded", { directory });
      await expectAllHeld(engine, all);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});

test("a Redis that is killed while hubs append to it keeps everything that it acknowledged", async () => {
  await using server = await startRedisServer();
  const prefix = "kill";
  const hubs = [1, 2].map(() => startAppending("redis", server.url, prefix));
  const acknowledged = () => hubs.flatMap((hub) => hub.acknowledged);
  try {
    for (let round = 1; round <= 2; round += 1) {
      const before = acknowledged().length;
      await waitUntil(() => expect(acknowledged().length).toBeGreaterThan(before + 300), 20);
      await server.kill();
      await server.start();
    }
    const before = acknowledged().length;
    await waitUntil(() => expect(acknowledged().length).toBeGreaterThan(before), 20);
  } finally {
    await Promise.all(hubs.map((hub) => hub.kill()));
  }
  await using engine = await openEngine("redis", { redisUrl: server.url, prefix });
  await expectAllHeld(engine, acknowledged());
});
