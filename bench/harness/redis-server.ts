import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { own } from "./own-processes.ts";

export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** A Redis of its own, on a free port and in a directory of its own. */
export async function startRedis(fsync: "always" | "everysec" = "everysec"): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), "hub-bench-redis-"));
  const port = await freePort();
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", ""];
  const durable = ["--appendonly", "yes", "--appendfsync", fsync];
  const child = own(spawn("redis-server", [...settings, ...durable], { stdio: "ignore" }));
  const { pid } = child;
  if (pid === undefined) throw new Error("redis-server could not be started: it must be on the PATH");
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (tries > 200) throw new Error("redis-server did not answer within 10 s");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pid,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        const exit = once(child, "exit");
        child.kill("SIGKILL");
        await exit;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
