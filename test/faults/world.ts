import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../bench/harness/free-port.ts";
import { tokenSha256 } from "../../src/security/access-token.ts";
import { type HubUnderTest, hubUnderTest } from "./hub-under-test.ts";
import type { Plan } from "./plan.ts";
import { type Proxy, startProxy } from "./proxy.ts";
import { mountSmallDisk, type SmallDisk } from "./small-disk.ts";
import { type RedisUnderTest, startRedisUnderTest } from "./redis-under-test.ts";

export const publisherToken = "rshub_publisher_of-the-faults";
export const adminToken = "rshub_admin_of-the-faults";
export const channelPath = "/sets/maps/change-notification";

/** How long a claim lasts in a round; faults that are to outlast one last longer. Milliseconds. */
const takeOver = "1s";

export interface HubPlace {
  readonly hub: HubUnderTest;
  /** Between clients and the hub. */
  readonly front: Proxy;
  /** Between the hub and Redis. */
  readonly back: Proxy | undefined;
}

/** The parts of one round: hub processes, their Redis, and the networks between. */
export interface World extends AsyncDisposable {
  readonly directory: string;
  readonly data: string;
  readonly baseUrl: string;
  readonly redis: RedisUnderTest | undefined;
  /** Under the data of the embedded store, where the plan fills it up. */
  readonly disk: SmallDisk | undefined;
  readonly hubs: readonly [HubPlace, ...HubPlace[]];
  /** Closes something with the world, before all that was opened earlier. May be asked for what is closed already. */
  defer(close: () => PromiseLike<unknown> | void): void;
  /** Keeps the directory with the logs of the hubs when it is disposed. */
  keep(): void;
}

export async function openWorld(plan: Plan): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), `hub-faults-${plan.engine}-${plan.seed}-`));
  const data = join(directory, "data");
  const open = new AsyncDisposableStackOfOurs();
  const redis = plan.engine === "redis" ? open.use(await startRedisUnderTest(plan.fsync)) : undefined;
  const isFilled = plan.faults.some(({ kind }) => kind === "disk-full");
  const disk = isFilled ? await mountSmallDisk(data) : undefined;
  if (disk !== undefined) open.use(disk);
  let baseUrl: string | undefined;

  const openHub = async (name: string): Promise<HubPlace> => {
    const port = await freePort();
    const front = open.use(await startProxy(() => port));
    const back = redis === undefined ? undefined : open.use(await startProxy(() => redis.port));
    baseUrl ??= `http://127.0.0.1:${front.port}`;
    const file = join(directory, `${name}.yaml`);
    const storage =
      back === undefined
        ? `{ data: "${data}" }`
        : `{ redis: "redis://127.0.0.1:${back.port}", data: "${data}" }`;
    await writeFile(file, hubFile({ port, baseUrl, storage }));
    const hub = hubUnderTest(directory, name, file, port);
    open.defer(() => hub.kill());
    return { hub, front, back };
  };
  const first = await openHub("hub");
  const hubs: [HubPlace, ...HubPlace[]] = plan.hubs === 2 ? [first, await openHub("second-hub")] : [first];
  let isKept = false;
  return {
    directory,
    data,
    baseUrl: baseUrl ?? "",
    redis,
    disk,
    hubs,
    defer: (close) => open.defer(close),
    keep: () => void (isKept = true),
    async [Symbol.asyncDispose]() {
      await open.dispose();
      if (!isKept) await rm(directory, { recursive: true, force: true });
    },
  };
}

interface HubFile {
  readonly port: number;
  readonly baseUrl: string;
  readonly storage: string;
}

/** A hub that is quick to try again: a round lasts some seconds. */
const hubFile = ({ port, baseUrl, storage }: HubFile): string => `baseUrl: ${baseUrl}
listen: { host: 127.0.0.1, port: ${port} }
storage: ${storage}
sets: [{ id: maps }]
publishers: [{ name: map-software, tokenSha256: ${tokenSha256(publisherToken)}, sets: [maps] }]
admin: { tokenSha256: ${tokenSha256(adminToken)} }
outbound: { allow: [127.0.0.0/8] }
delivery: { timeout: 2s, retry: [100ms, 200ms], takeOverAfter: ${takeOver} }
changeLists: { entries: 50000 }
live: { pingInterval: 1s }
logging: { format: json, level: debug }
shutdown: { within: 5s }
`;

/** Node 20 has no AsyncDisposableStack. */
class AsyncDisposableStackOfOurs {
  readonly #closing: (() => PromiseLike<unknown> | void)[] = [];
  use<Resource extends AsyncDisposable>(resource: Resource): Resource {
    this.defer(() => resource[Symbol.asyncDispose]());
    return resource;
  }
  defer(close: () => PromiseLike<unknown> | void): void {
    this.#closing.unshift(close);
  }
  async dispose(): Promise<void> {
    for (const close of this.#closing) await close();
  }
}
