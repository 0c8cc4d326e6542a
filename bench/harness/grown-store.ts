import { type ChannelId, channelIdOf, parseSetId } from "../../src/channels/channel.ts";
import type { Config } from "../../src/configuration/schema.ts";
import { type Engine, openEngine } from "../../src/engine.ts";
import { createEvents } from "../../src/observability/events.ts";
import { silentLogger } from "../../src/observability/logger.ts";
import { createMetrics } from "../../src/observability/metrics.ts";
import { sha256Hex } from "../../src/protocol/hash.ts";
import { subscriptionIdOf } from "../../src/subscriptions/subscription-id.ts";
import { inParallel } from "../load/publisher.ts";

export interface Size {
  readonly entries: number;
  readonly subscriptions: number;
}

export interface GrownStore extends AsyncDisposable {
  readonly engine: Engine;
  readonly channel: ChannelId;
  /** What it has been filled with in time. */
  readonly size: Size;
  readonly append: () => Promise<unknown>;
}

const topic = "https://example.org/topic";
/** Appends that are under way at a time. */
const width = 2000;
const batch = 20_000;

/** Opens an engine's store and fills it with a log and subscriptions that have received it, for at most `seconds`. */
export async function growStore(
  storage: Config["storage"],
  size: Size,
  seconds: number,
): Promise<GrownStore> {
  const engine = await openEngine(storage, createEvents(silentLogger, createMetrics()));
  const set = parseSetId("bench");
  if (set === undefined) throw new Error("bench is a good id");
  const channel = channelIdOf(set, "change-notification");
  let number = 0;
  const append = (): Promise<unknown> => {
    number += 1;
    const payload = Buffer.from(`<urlset n="${number}"/>`);
    return engine.log.append(channel, {
      payload,
      contentType: "application/xml",
      digest: sha256Hex(payload),
      interval: undefined,
      receipt: "",
      idempotencyKey: undefined,
      repeatWindow: 86_400_000,
      refuseOverlap: false,
    });
  };
  const began = performance.now();
  const entries = await fill(size.entries, began + seconds * 1000, append);
  const subscribe = (index: number) => engine.subscriptions.activate(subscription(channel, index), entries);
  const subscriptions = await fill(size.subscriptions, began + seconds * 2000, subscribe);
  return {
    engine,
    channel,
    size: { entries, subscriptions },
    append,
    async [Symbol.asyncDispose]() {
      await engine.wakeUps.close();
      await engine.close();
    },
  };
}

/** Answers how many there was time for. */
async function fill(
  count: number,
  until: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  while (done < count && performance.now() < until) {
    const some = Math.min(batch, count - done);
    const from = done;
    await inParallel(some, width, (index) => work(from + index));
    done += some;
  }
  return done;
}

function subscription(channel: ChannelId, index: number) {
  const callback = `https://subscriber-${index % 1000}.example.org/${index}`;
  return {
    id: subscriptionIdOf(channel, topic, callback),
    channel,
    topic,
    callback,
    secret: "a secret of this subscription",
    leaseSeconds: 864_000,
    expiresAt: Date.now() + 864_000_000,
    createdAt: Date.now(),
    previousSecret: undefined,
    exhausted: undefined,
    authority: undefined,
  };
}
