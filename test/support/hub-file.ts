import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { tokenSha256 } from "../../src/security/access-token.ts";
import { freePort } from "../../bench/harness/free-port.ts";
import { type EngineName, publisherToken } from "./start-hub.ts";

export interface HubFile extends AsyncDisposable {
  readonly file: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly directory: string;
  publish(payload: string): Promise<Response>;
}

interface HubFileOptions {
  readonly engine: EngineName;
  /** The base URL of the processes together, where there are several. */
  readonly baseUrl?: string;
  readonly prefix?: string;
  readonly redisUrl?: string;
}

/** A hub.yaml for a hub that runs as a process of its own. */
export async function writeHubFile(options: HubFileOptions): Promise<HubFile> {
  const directory = await mkdtemp(join(tmpdir(), "hub-process-"));
  const port = await freePort();
  const baseUrl = options.baseUrl ?? `http://127.0.0.1:${port}`;
  const prefix = options.prefix ?? `t${crypto.randomUUID().slice(0, 8)}`;
  const redisUrl = options.redisUrl ?? inject("redisUrl");
  const storage =
    options.engine === "redis"
      ? `{ redis: "${redisUrl}", prefix: ${prefix}, data: "${directory}/data" }`
      : `{ data: "${directory}/data" }`;
  const file = join(directory, "hub.yaml");
  await writeFile(
    file,
    `baseUrl: ${baseUrl}
listen: { host: 127.0.0.1, port: ${port} }
storage: ${storage}
sets: [{ id: maps, title: Historic maps }]
publishers: [{ name: map-software, tokenSha256: ${tokenSha256(publisherToken)}, sets: [maps] }]
outbound: { allow: [127.0.0.0/8] }
delivery: { timeout: 2s, retry: [100ms, 200ms] }
logging: { format: json }
shutdown: { within: 5s }
`,
  );
  return {
    file,
    port,
    baseUrl,
    directory,
    publish: (payload) =>
      fetch(`http://127.0.0.1:${port}/sets/maps/change-notification`, {
        method: "POST",
        body: payload,
        headers: { "Content-Type": "application/xml", Authorization: `Bearer ${publisherToken}` },
      }),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
