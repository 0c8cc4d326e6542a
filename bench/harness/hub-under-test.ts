import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tokenSha256 } from "../../src/security/access-token.ts";
import type { EngineName } from "./bench.ts";
import { freePort } from "./free-port.ts";
import { own } from "./own-processes.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

const main = join(import.meta.dirname, "../../dist/cli/main.js");

export const token = "rshub_publisher_of-the-bench";

export interface HubUnderTest extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  readonly baseUrl: string;
  /** Of the channel that is published to. */
  readonly path: string;
  readonly redis: RedisServer | undefined;
}

export interface HubOptions {
  readonly engine: EngineName;
  /** Lines of hub.yaml beside the usual ones. */
  readonly yaml?: string;
  /** `appendfsync` of the hub's own Redis. */
  readonly fsync?: "always" | "everysec";
  /** Another process on the same Redis. */
  readonly beside?: HubUnderTest;
}

/** The built hub, run as a user runs it: a process of its own, with storage of its own. */
export async function startHubUnderTest(options: HubOptions): Promise<HubUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-"));
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const ownRedis =
    options.engine === "redis" && options.beside === undefined ? await startRedis(options.fsync) : undefined;
  const redis = options.beside?.redis ?? ownRedis;
  const storage =
    redis === undefined ? `{ data: "${directory}" }` : `{ redis: "${redis.url}", data: "${directory}" }`;
  const file = join(directory, "hub.yaml");
  await writeFile(
    file,
    `baseUrl: ${options.beside?.baseUrl ?? baseUrl}
listen: { port: ${port} }
storage: ${storage}
sets: [{ id: bench }]
publishers: [{ name: bench, tokenSha256: ${tokenSha256(token)}, sets: [bench] }]
admin: { tokenSha256: ${tokenSha256("rshub_admin_of-the-bench")} }
outbound: { allow: [127.0.0.0/8] }
logging: { level: error }
${options.yaml ?? ""}`,
  );
  const child = own(
    spawn(process.execPath, [main, "serve", "--config", file], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { PATH: process.env["PATH"] },
    }),
  );
  const { pid } = child;
  if (pid === undefined) throw new Error("the hub could not be started");
  await untilReady(baseUrl, () => child.exitCode);
  return {
    pid,
    port,
    baseUrl,
    path: "/sets/bench/change-notification",
    redis,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, "exit");
        child.kill("SIGKILL");
        await exit;
      }
      await ownRedis?.[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function untilReady(baseUrl: string, exitCode: () => number | null): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (exitCode() !== null)
      throw new Error(`the hub ended with ${exitCode()}; is it built (npm run build)?`);
    const answer = await fetch(`${baseUrl}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the hub was not ready within 30 s");
}
