import { join } from "node:path";
import { freePort } from "../bench/harness/free-port.ts";
import { tokenSha256 } from "../src/security/access-token.ts";
import type { Tell } from "./destinations.ts";
import { type HubProcess, hubProcess, redisProcess } from "./processes.ts";
import { startProxy } from "./proxy.ts";

interface Wanted {
  readonly directory: string;
  /** The publisher's. */
  readonly token: string;
  readonly onRedis: boolean;
  /** What is to be ended, the last started first. */
  readonly ends: (() => Promise<unknown>)[];
  readonly tell: Tell;
}

/** One hub with embedded storage; or two on one Redis, behind one port. */
export async function startHubs({ directory, token, onRedis, ends, tell }: Wanted) {
  const redis = onRedis ? await redisProcess(directory) : undefined;
  if (redis !== undefined) ends.unshift(() => redis.stop());
  const port = await freePort();
  const ports = redis === undefined ? [port] : [await freePort(), await freePort()];
  const baseUrl = `http://127.0.0.1:${port}`;

  const hubs: HubProcess[] = [];
  for (const [index, own] of ports.entries()) {
    const name = redis === undefined ? "the hub" : `hub ${index + 1}`;
    const data = join(directory, `data-${index}`);
    const storage =
      redis === undefined ? `{ data: "${data}" }` : `{ redis: "${redis.url}", data: "${data}" }`;
    const settings = { port: own, baseUrl, storage, tokenSha256: tokenSha256(token) };
    const hub = await hubProcess(name, directory, settings);
    ends.unshift(() => hub.stop());
    await hub.start();
    hubs.push(hub);
    tell("Hub", `${name} runs on port ${own}, ${redis === undefined ? "with embedded storage" : "on Redis"}`);
  }
  if (redis !== undefined) {
    const proxy = await startProxy(port, ports);
    ends.unshift(() => proxy.close());
    tell("Hub", `one port for both: ${port}`);
  }
  return { baseUrl, hubs };
}
