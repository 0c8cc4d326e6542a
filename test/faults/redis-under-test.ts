import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "../../bench/harness/free-port.ts";
import { own } from "../../bench/harness/own-processes.ts";

/** A Redis of a round's own, which can be ended as a crash or a power cut would. */
export interface RedisUnderTest extends AsyncDisposable {
  readonly port: number;
  readonly client: Redis;
  kill(): Promise<void>;
  /** Resolves when it takes commands. */
  start(): Promise<void>;
  /**
   * Kills it, and takes off its file what was written after `since` (milliseconds since 1970), as a power cut may where nothing
   * was synced meanwhile. Answers from when on writes are gone.
   */
  cutPower(since: number): Promise<number>;
  /** Whether the disk is so slow that it answers before it writes (everysec only). */
  hasUnwritten(): Promise<boolean>;
  /** Half a command at the end of its file, as of a write that was under way. Only while it is killed. */
  tear(): Promise<void>;
}

const sampleEvery = 20;

export async function startRedisUnderTest(fsync: "always" | "everysec"): Promise<RedisUnderTest> {
  const directory = await mkdtemp(join(tmpdir(), "hub-faults-redis-"));
  const port = await freePort();
  const client = new Redis(port, "127.0.0.1", {
    lazyConnect: true,
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
  });
  client.on("error", () => {});
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", ""];
  const durable = ["--appendonly", "yes", "--appendfsync", fsync, "--auto-aof-rewrite-percentage", "0"];
  let child = launch();
  const sizes: { readonly at: number; readonly size: number }[] = [];

  function launch() {
    return own(spawn("redis-server", [...settings, ...durable], { stdio: "ignore" }));
  }
  const files = async (): Promise<string[]> => {
    const folder = join(directory, "appendonlydir");
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => name.endsWith(".incr.aof")).map((name) => join(folder, name));
  };
  const sample = async (): Promise<void> => {
    for (const file of await files()) sizes.push({ at: Date.now(), size: (await stat(file)).size });
  };
  const sampling = setInterval(() => void sample().catch(() => {}), sampleEvery);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  };
  const answers = async (): Promise<void> => {
    while ((await client.ping().catch(() => "")) !== "PONG") await new Promise((go) => setTimeout(go, 20));
  };
  await client.connect().catch(() => {});
  await answers();

  return {
    port,
    client,
    kill,
    async start() {
      child = launch();
      await answers();
    },
    async cutPower(since) {
      await kill();
      const kept = sizes.find(({ at }) => at >= since);
      const [file] = await files();
      if (kept === undefined || file === undefined)
        throw new Error("the file of Redis was not watched so long");
      await truncate(file, kept.size);
      return kept.at;
    },
    async hasUnwritten() {
      const info = await client.info("persistence");
      return /^aof_(pending_bio_fsync|buffer_length):[1-9]/m.test(info);
    },
    async tear() {
      for (const file of await files()) await appendFile(file, "*3\r\n$3\r\nSET\r\n$8\r\nhalf-a-c");
    },
    async [Symbol.asyncDispose]() {
      clearInterval(sampling);
      client.disconnect();
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
