import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import type { TestProject } from "vitest/node";
import { freePort } from "../../bench/harness/free-port.ts";

declare module "vitest" {
  export interface ProvidedContext {
    redisUrl: string;
  }
}

export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly directory: string;
  /** Ends the server at once, as a power cut would; `start` brings it back on the same port and directory. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** A Redis of its own: every write is fsynced, so that a killed server loses nothing that it acknowledged. */
export async function startRedisServer(): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), "hub-redis-"));
  const port = await freePort();
  let child: ChildProcess | undefined;

  const kill = async (): Promise<void> => {
    const running = child;
    child = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await ended;
  };
  const start = async (): Promise<void> => {
    const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", ""];
    child = spawn("redis-server", [...settings, "--appendonly", "yes", "--appendfsync", "always"], {
      stdio: "ignore",
    });
    const probe = new Redis(port, "127.0.0.1", { retryStrategy: () => 50, maxRetriesPerRequest: 200 });
    probe.on("error", () => {});
    await probe.ping();
    probe.disconnect();
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    directory,
    kill,
    start,
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Vitest global set-up: one Redis for the whole run; each test takes a key prefix of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["HUB_TEST_REDIS_URL"];
  if (given !== undefined) {
    project.provide("redisUrl", given);
    return async () => {};
  }
  const server = await startRedisServer();
  project.provide("redisUrl", server.url);
  return async () => {
    await server[Symbol.asyncDispose]();
  };
}
