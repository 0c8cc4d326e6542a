import { z } from "zod";
import { admin, publishers, subscribers } from "./access-schema.ts";
import { jwt } from "./jwt-schema.ts";
import { cors, listen, tls, trustProxy } from "./listening-schema.ts";
import { sets } from "./set-schema.ts";
import { topics } from "./topics-schema.ts";
import { formatDuration } from "./units.ts";
import {
  addressRange,
  baseUrl,
  callbackPattern,
  duration,
  httpUrl,
  matching,
  oneOf,
  onOrOff,
  seconds,
  size,
  text,
  wholeNumber,
} from "./values.ts";

const redisUrl = text("a redis:// or rediss:// URL", (found) =>
  /^rediss?:\/\/[^\s/]/.test(found) && URL.canParse(found) ? found : undefined,
);

const storage = z
  .strictObject({
    data: text("a directory", matching(/\S/)).default("./data"),
    redis: redisUrl.exactOptional(),
    prefix: text(
      "a prefix of letters, digits, `.`, `_`, `-` and `:`, at most 32",
      matching(/^[\w.:-]{1,32}$/),
    ).default("hub"),
  })
  .transform(({ data, redis, prefix }) =>
    redis === undefined
      ? { engine: "embedded" as const, data }
      : { engine: "redis" as const, url: redis, prefix, data },
  );

const records = z.strictObject({
  max: wholeNumber(1, 1_000_000).default(10_000),
  keep: duration("1m", "365d").default(7 * 86_400_000),
});

const delivery = z.strictObject({
  timeout: duration("100ms", "5m").default(10_000),
  retry: z
    .array(duration("100ms", "7d"))
    .min(1)
    .prefault(["5s", "30s", "2m", "10m", "30m", "1h", "3h", "6h"]),
  giveUpAfter: duration("1s", "365d").default(72 * 3_600_000),
  takeOverAfter: duration("1s", "10m").default(15_000),
  exhausted: oneOf(["park", "pause"]).default("park"),
  deadLetters: wholeNumber(1, 100_000).default(10_000),
  concurrency: wholeNumber(1, 10_000).default(128),
  perOrigin: wholeNumber(1, 64).default(32),
  signature: oneOf(["sha256", "sha384", "sha512", "sha1"]).default("sha256"),
  secretGrace: duration("0s", "365d").default(86_400_000),
  records: records.prefault({}),
});

const span = (count: number): string => formatDuration(count * 1000);

const leases = z
  .strictObject({
    default: seconds("1s", "365d").default(864_000),
    min: seconds("1s", "365d").default(300),
    max: seconds("1s", "365d").default(2_678_400),
  })
  .superRefine(({ min, default: usual, max }, context) => {
    if (min <= usual && usual <= max) return;
    context.addIssue({
      code: "custom",
      message: `min is ${span(min)}, default ${span(usual)}, max ${span(max)}; expected min ≤ default ≤ max`,
    });
  });

const watching = z
  .strictObject({
    min: duration("100ms", "1d").default(30_000),
    max: duration("100ms", "7d").default(3_600_000),
  })
  .superRefine(({ min, max }, context) => {
    if (min <= max) return;
    const message = `min is ${formatDuration(min)}, max ${formatDuration(max)}; expected min ≤ max`;
    context.addIssue({ code: "custom", message });
  });

/** Everything that can stand in hub.yaml. Durations become milliseconds (of leases: seconds), sizes bytes. */
export const settingsSchema = z.strictObject({
  baseUrl: baseUrl.exactOptional(),
  listen: listen.prefault({}),
  tls: tls.exactOptional(),
  trustProxy: trustProxy.default("none"),
  cors: cors.prefault({}),
  storage: storage.prefault({}),
  describedBy: httpUrl.exactOptional(),
  sets,
  publishers: publishers.exactOptional(),
  subscribers: subscribers.prefault([]),
  admin: admin.exactOptional(),
  jwt: jwt.exactOptional(),
  topics,
  outbound: z.strictObject({ allow: z.array(addressRange).exactOptional() }).prefault({}),
  callbacks: z.strictObject({ allow: z.array(callbackPattern).exactOptional() }).prefault({}),
  delivery: delivery.prefault({}),
  leases: leases.prefault({}),
  log: z
    .strictObject({
      keep: duration("1m", "3650d").default(30 * 86_400_000),
      max: wholeNumber(1, 1_000_000_000).default(1_000_000),
      repeatWindow: duration("0s", "30d").default(86_400_000),
    })
    .prefault({}),
  changeLists: z
    .strictObject({
      entries: wholeNumber(1, 50_000).default(1000),
      period: duration("1s", "365d").default(86_400_000),
      keep: duration("1m", "3650d").default(30 * 86_400_000),
      archive: onOrOff.default(false),
    })
    .prefault({}),
  limits: z
    .strictObject({
      notificationBytes: size("1kB", "50MB").default(5_000_000),
      validateBytes: size("1kB", "50MB").default(10_000_000),
      validatesPerMinute: wholeNumber(1, 100_000).default(30),
      resourceListBytes: size("1kB", "50MB").default(50_000_000),
      verificationsPerHost: wholeNumber(1, 10_000).default(100),
      topicBytes: size("1kB", "50MB").default(5_000_000),
      readersPerChannel: wholeNumber(1, 1_000_000).default(10_000),
      connections: wholeNumber(10, 1_000_000).default(20_000),
      connectionsPerAddress: wholeNumber(1, 1_000_000).default(1_000),
      requestsPerMinute: wholeNumber(1, 10_000_000).default(3_000),
      publishesPerMinute: wholeNumber(0, 100_000_000).default(0),
      bodiesBytes: size("1MB", "100GB").default(256_000_000),
      liveBytes: size("16MB", "100GB").default(512_000_000),
    })
    .prefault({}),
  live: z
    .strictObject({
      bufferBytes: size("16kB", "64MB").default(1_000_000),
      pingInterval: duration("1s", "10m").default(30_000),
      deflate: onOrOff.default(true),
    })
    .prefault({}),
  resourceLists: z
    .strictObject({
      entries: wholeNumber(1, 50_000).default(50_000),
      refresh: duration("0s", "1d").default(600_000),
    })
    .prefault({}),
  watching: watching.prefault({}),
  logging: z
    .strictObject({
      level: oneOf(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
      format: oneOf(["auto", "json", "text"]).default("auto"),
    })
    .prefault({}),
  shutdown: z.strictObject({ within: duration("0s", "10m").default(15_000) }).prefault({}),
});

/** What was given, checked; what depends on more than one setting is still open. */
export type Settings = z.output<typeof settingsSchema>;

/** The whole configuration of a hub: every default is in its place, every token is a hash. */
export interface Config extends Omit<Settings, "baseUrl" | "publishers" | "admin" | "outbound"> {
  /** No slash at its end. */
  readonly baseUrl: string;
  readonly publishers: NonNullable<Settings["publishers"]>;
  readonly admin: Settings["admin"] | undefined;
  readonly outbound: { readonly allow: readonly string[] };
}
