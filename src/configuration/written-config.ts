import { stringify } from "yaml";
import type { NeededTokens } from "./kept-tokens.ts";
import type { Config } from "./schema.ts";
import { formatDuration, formatSize } from "./units.ts";

const seconds = (count: number): string => formatDuration(count * 1000);

/**
 * The configuration as a hub.yaml that says all of it, defaults too. Reading it gives the same configuration, but for the
 * password of Redis, which is left out. Publishers that are to come with the first start stay open.
 */
export function writeConfig(config: Config, toMake: NeededTokens): string {
  const { delivery, leases, log, changeLists, limits, live, resourceLists, watching, shutdown } = config;
  const { secret, storage } = writtenStorage(config.storage);
  const written = {
    baseUrl: config.baseUrl,
    listen: config.listen,
    tls: config.tls,
    trustProxy: config.trustProxy,
    cors: config.cors,
    storage,
    describedBy: config.describedBy,
    sets: config.sets,
    publishers: toMake.publisher ? undefined : config.publishers,
    subscribers: config.subscribers,
    admin: config.admin,
    jwt: config.jwt,
    topics: config.topics,
    outbound: config.outbound,
    callbacks: config.callbacks,
    delivery: {
      ...delivery,
      timeout: formatDuration(delivery.timeout),
      retry: delivery.retry.map(formatDuration),
      giveUpAfter: formatDuration(delivery.giveUpAfter),
      takeOverAfter: formatDuration(delivery.takeOverAfter),
      secretGrace: formatDuration(delivery.secretGrace),
      records: { ...delivery.records, keep: formatDuration(delivery.records.keep) },
    },
    leases: { default: seconds(leases.default), min: seconds(leases.min), max: seconds(leases.max) },
    log: { keep: formatDuration(log.keep), max: log.max, repeatWindow: formatDuration(log.repeatWindow) },
    changeLists: {
      ...changeLists,
      period: formatDuration(changeLists.period),
      keep: formatDuration(changeLists.keep),
    },
    limits: {
      ...limits,
      notificationBytes: formatSize(limits.notificationBytes),
      validateBytes: formatSize(limits.validateBytes),
      resourceListBytes: formatSize(limits.resourceListBytes),
      topicBytes: formatSize(limits.topicBytes),
      bodiesBytes: formatSize(limits.bodiesBytes),
      liveBytes: formatSize(limits.liveBytes),
    },
    live: {
      ...live,
      bufferBytes: formatSize(live.bufferBytes),
      pingInterval: formatDuration(live.pingInterval),
    },
    resourceLists: { ...resourceLists, refresh: formatDuration(resourceLists.refresh) },
    watching: { min: formatDuration(watching.min), max: formatDuration(watching.max) },
    logging: config.logging,
    shutdown: { within: formatDuration(shutdown.within) },
  };
  const comments = [
    ...(secret ? ["# The password in storage.redis is not shown."] : []),
    ...(toMake.publisher ? ["# publishers: the first start makes a token for every set."] : []),
    ...(toMake.admin ? ["# admin: the first start makes a token."] : []),
  ];
  return (
    comments.map((comment) => `${comment}\n`).join("") +
    stringify(written, { lineWidth: 0, aliasDuplicateObjects: false })
  );
}

function writtenStorage(storage: Config["storage"]) {
  if (storage.engine === "embedded") return { secret: false, storage: { data: storage.data } };
  const url = new URL(storage.url);
  const secret = url.password !== "";
  url.password = "";
  const { data, prefix } = storage;
  return { secret, storage: { data, redis: secret ? url.href : storage.url, prefix } };
}
