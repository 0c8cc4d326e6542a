import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, inject } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { startHub } from "../../src/hub.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { tokenSha256 } from "../../src/security/access-token.ts";
import { freePort } from "../../bench/harness/free-port.ts";

export type EngineName = "embedded" | "redis";

export const publisherToken = "rsp_test-publisher";
export const adminToken = "rsa_test-admin";

export interface TestHub extends AsyncDisposable {
  readonly baseUrl: string;
  readonly port: number;
  readonly directory: string;
  readonly prefix: string;
  /** POSTs a document to a channel as its publisher. */
  publish(payload: string | Buffer, options?: PublishOptions): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Reads the file anew, as on SIGHUP. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

interface PublishOptions {
  readonly channel?: string;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}

export interface TestHubOptions {
  readonly engine?: EngineName;
  /** Lines of hub.yaml below those that every test hub has. */
  readonly yaml?: string;
  /** To start again on what an earlier hub left, or beside it. */
  readonly directory?: string;
  readonly prefix?: string;
  readonly port?: number;
  /** Where its publisher may publish; `maps` unless told otherwise. */
  readonly publishes?: string;
  /** What follows the hash in `admin`. */
  readonly admin?: string;
}

/** A whole hub of its own: one set of resources `maps`, quick retries, callbacks on loopback allowed. */
export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "hub-test-")));
  const prefix = options.prefix ?? `t${crypto.randomUUID().slice(0, 8)}`;
  const port = options.port ?? (await freePort());
  const storage =
    options.engine === "redis"
      ? `{ redis: "${inject("redisUrl")}", prefix: ${prefix}, data: "${directory}" }`
      : `{ data: "${directory}" }`;
  const file = join(directory, `hub-${port}.yaml`);
  const common = `
listen: { host: 127.0.0.1, port: ${port} }
storage: ${storage}
admin: { tokenSha256: ${tokenSha256(adminToken)}${options.admin ?? ""} }
shutdown: { within: 3s }
`;
  const publishers = `publishers: [{ name: map-software, tokenSha256: ${tokenSha256(publisherToken)}, sets: ${options.publishes ?? "[maps]"} }]\n`;
  const sets = "sets: [{ id: maps, title: Historic maps, describedBy: https://maps.example.org/about }]\n";
  const delivery = "delivery: { timeout: 1s, retry: [100ms, 200ms], giveUpAfter: 1h }\n";
  const leases = "leases: { default: 10d, min: 1s, max: 31d }\n";
  const outbound = "outbound: { allow: [127.0.0.0/8] }\n";
  const yaml = options.yaml ?? "";
  const extra = [
    [/^publishers:/m, publishers],
    [/^sets:/m, sets],
    [/^delivery:/m, delivery],
    [/^leases:/m, leases],
    [/^outbound:/m, outbound],
  ] as const;
  const defaults = extra.filter(([key]) => !key.test(yaml)).map(([, lines]) => lines);
  await writeFile(file, `${common}${defaults.join("")}${yaml}`);

  const configured = async () => (await loadConfig({ flags: { config: file }, env: {} })).config;
  const hub = await startHub(await configured(), silentLogger);
  const { baseUrl } = hub;
  return {
    baseUrl,
    port,
    directory,
    prefix,
    publish: (payload, { channel = "maps/change-notification", token = publisherToken, headers = {} } = {}) =>
      fetch(`${baseUrl}/sets/${channel}`, {
        method: "POST",
        body: payload,
        headers: {
          "Content-Type": "application/xml",
          ...(token === "" ? {} : { Authorization: `Bearer ${token}` }),
          ...headers,
        },
      }),
    get: (path, headers = {}) => fetch(`${baseUrl}${path}`, { headers }),
    reload: async () => void (await hub.reload(await configured())),
    close: () => hub.close(),
    [Symbol.asyncDispose]: async () => {
      await hub.close();
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** One hub for all tests of a block: started before the first, ended after the last. */
export function testHubForAll(options: TestHubOptions = {}): () => TestHub {
  let hub: TestHub | undefined;
  beforeAll(async () => {
    hub = await startTestHub(options);
  });
  afterAll(() => hub?.[Symbol.asyncDispose]());
  return () => {
    if (hub === undefined) throw new Error("the hub is there once the tests run");
    return hub;
  };
}
