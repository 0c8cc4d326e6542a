import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../bench/harness/free-port.ts";

export interface HubProcess {
  readonly name: string;
  readonly port: number;
  start(): Promise<void>;
  /** SIGKILL: the process gets no chance to finish anything. */
  kill(): Promise<void>;
  /** SIGTERM: it drains and ends by itself. */
  stop(): Promise<number | null>;
}

const main = join(import.meta.dirname, "../dist/cli/main.js");

/** Waits until `check` resolves to true; throws with `what` after `seconds`. */
export async function until(what: string, seconds: number, check: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} did not happen within ${seconds} s`);
}

/** A hub as a process of its own, with its configuration in `directory`. */
export async function hubProcess(
  name: string,
  directory: string,
  settings: {
    readonly port: number;
    readonly baseUrl: string;
    readonly storage: string;
    readonly tokenSha256: string;
  },
): Promise<HubProcess> {
  const { port, baseUrl, storage, tokenSha256 } = settings;
  const file = join(directory, `${name}.yaml`);
  await writeFile(
    file,
    `baseUrl: ${baseUrl}
listen: { host: 127.0.0.1, port: ${port} }
storage: ${storage}
sets: [{ id: catalogue, title: The catalogue of a small map library }]
publishers: [{ name: catalogue-software, tokenSha256: ${tokenSha256}, sets: [catalogue] }]
outbound: { allow: [127.0.0.0/8] }
delivery: { timeout: 2s, retry: [300ms, 600ms, 1s] }
logging: { level: warn, format: json }
`,
  );
  let child: ChildProcess | undefined;
  let complaints = "";

  const ended = (running: ChildProcess): Promise<number | null> =>
    new Promise((resolve) => {
      if (running.exitCode !== null || running.signalCode !== null) resolve(running.exitCode);
      else running.once("exit", (code) => resolve(code));
    });
  const end = async (signal: "SIGKILL" | "SIGTERM"): Promise<number | null> => {
    const running = child;
    child = undefined;
    if (running === undefined) return 0;
    running.kill(signal);
    return ended(running);
  };
  return {
    name,
    port,
    async start() {
      const started = spawn(process.execPath, [main, "serve", "--config", file], {
        stdio: ["ignore", "ignore", "pipe"],
      });
      child = started;
      started.stderr.on("data", (data: Buffer) => {
        complaints = `${complaints}${data.toString()}`.slice(-4000);
      });
      await until(`${name}'s start`, 20, async () => {
        if (started.exitCode !== null) throw new Error(`${name} ended at its start:\n${complaints}`);
        const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
        return ready?.ok === true;
      });
    },
    async kill() {
      await end("SIGKILL");
    },
    stop: () => end("SIGTERM"),
  };
}

export interface RedisProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** A Redis of the demonstration's own, which fsyncs every write. */
export async function redisProcess(directory: string): Promise<RedisProcess> {
  const port = await freePort();
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", ""];
  const child = spawn("redis-server", [...settings, "--appendonly", "yes", "--appendfsync", "always"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", () =>
      reject(new Error("--redis needs redis-server on the PATH; on Debian: apt-get install redis-server")),
    );
    child.stdout.on("data", (data: Buffer) => {
      if (data.toString().includes("Ready to accept connections")) resolve();
    });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}
