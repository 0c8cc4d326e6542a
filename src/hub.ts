import { openAccess } from "./access.ts";
import { createChannels } from "./channels/registry.ts";
import type { Config } from "./configuration/schema.ts";
import { attemptDelivery } from "./delivery/attempt-delivery.ts";
import { startDelivery } from "./delivery/delivery.ts";
import { recordDeliveries } from "./delivery/record-deliveries.ts";
import { createRetryPolicy } from "./delivery/retry-policy.ts";
import { startOwnDocuments } from "./discovery/own-documents.ts";
import { openEngine } from "./engine.ts";
import { listen, stoppable } from "./http/listening.ts";
import { operatorsRoutes } from "./http/operators-routes.ts";
import { createPublishBudget } from "./http/publish-budget.ts";
import { publishRoutes } from "./http/publish-routes.ts";
import { renewCertificate } from "./http/secure-server.ts";
import { readTlsFiles } from "./http/tls-files.ts";
import { reportFault } from "./log/report-fault.ts";
import { createLiveChannels } from "./live/live-channels.ts";
import { validateRoute } from "./http/validate-route.ts";
import { createEvents } from "./observability/events.ts";
import type { Logger } from "./observability/logger.ts";
import { createMetrics } from "./observability/metrics.ts";
import { createOperations } from "./operations/operations.ts";
import { acceptNotifications } from "./publish/accept-notification.ts";
import { startResourceLists } from "./resources/resource-lists.ts";
import { createOutboundHttp } from "./security/outbound-http.ts";
import { openSubscriptionRequests } from "./subscriptions/subscriptions.ts";
import { startTopics } from "./topics/start-topics.ts";
import { createServers, operatorsUrlOf, withPorts } from "./servers.ts";
import { startUpkeep } from "./upkeep.ts";
import { startWatching } from "./watching/start-watching.ts";

export interface Hub extends AsyncDisposable {
  readonly baseUrl: string;
  /** Below which the operators' API is. */
  readonly operatorsUrl: string;
  /** What survives which crash, in a sentence. */
  readonly durability: string;
  /**
   * Takes over the tokens, certificates and keys of another configuration; everything else stays as it was. Throws where a
   * certificate cannot be used, and then nothing is taken over. `areKeysNew` is false where the issuer's keys cannot be had:
   * the old ones stay.
   */
  reload(config: Config): Promise<{ readonly areKeysNew: boolean }>;
  /** Stops in order; what still runs after `shutdown.within` is called off. */
  close(): Promise<void>;
}

const userAgent = "resourcesync-hub";

/** Starts a hub. Resolves when it takes requests. */
export async function startHub(given: Config, logger: Logger): Promise<Hub> {
  const config = await withPorts(given);
  const tls = config.tls && (await readTlsFiles(config.tls));
  const [stopping, calledOff] = [new AbortController(), new AbortController()];
  const flow = await startFlow(config, logger, calledOff.signal);
  const served = { ...flow.served, isStopping: () => stopping.signal.aborted };
  const servers = createServers(config, served, tls);
  const stopServing = servers.map(({ server }) => stoppable(server));

  const close = once(async () => {
    stopping.abort();
    const timer = setTimeout(() => calledOff.abort(), config.shutdown.within);
    const deadline = calledOff.signal;
    const closed = Promise.all(stopServing.map((stop) => stop(deadline)));
    await flow.end(deadline);
    await closed;
    await flow.release();
    clearTimeout(timer);
  });
  try {
    for (const { server, at } of servers) await listen(server, at);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    baseUrl: config.baseUrl,
    operatorsUrl: operatorsUrlOf(config),
    durability: flow.durability,
    async reload(next) {
      const files = next.tls && (await readTlsFiles(next.tls));
      if (files !== undefined) for (const { server } of servers) renewCertificate(server, files);
      return { areKeysNew: await flow.reloadAccess(next) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The parts in the order of the flow. `calledOff` ends what still runs when the time for stopping is over. */
async function startFlow(config: Config, logger: Logger, calledOff: AbortSignal) {
  const { now } = Date;
  const metrics = createMetrics();
  const events = createEvents(logger, metrics);
  const channels = createChannels(config);
  const engine = await openEngine(config.storage, events, config.delivery.takeOverAfter);
  const { log, subscriptions, ledger, wakeUps, recordRings: rings } = engine;
  const calling = { allow: config.outbound.allow, events, userAgent };
  const outbound = createOutboundHttp(calling);
  const { callbacks, describedBy, leases, limits } = config;
  const { timeout, retry: schedule, giveUpAfter, signature } = config.delivery;

  const { repeatWindow } = config.log;
  const accept = acceptNotifications({ log, events, limits, repeatWindow });
  const access = openAccess(config, { channels, outbound, events, now });
  const enter = createPublishBudget({ limits, events, now });
  const { notificationBytes, validateBytes, validatesPerMinute: perMinute } = limits;

  const fetching = { ...engine, channels, outbound, accept, events, limits, admitted: config.topics, now };
  const watching = startWatching({ ...fetching, watching: config.watching });
  const fetched = startTopics({ ...fetching, ...watching, abandon: calledOff });
  const { topics, admission, validate: validateTopic, ping } = fetched;
  const parts = { channels, topics, log, subscriptions, ledger, wakeUps, outbound, events, now };
  const asked = { ...parts, ...access, admission, validate: validateTopic, leases, limits, callbacks };
  const asking = { ...asked, ...config.delivery, calling, abandon: calledOff };
  const requests = openSubscriptionRequests(asking);
  access.onReplaced(() => void requests.withdrawAll().catch(reportFault(events, "withdrawal")));

  const attempt = attemptDelivery({ outbound, timeout, signatureMethod: signature, now });
  const retry = createRetryPolicy({ schedule, giveUpAfter, random: Math.random });
  const records = recordDeliveries({ rings, ...config.delivery.records, events, now });
  const delivery = await startDelivery({ ...asking, ...requests, attempt, retry, records });
  const [store, lists] = [engine.resources, config.resourceLists];
  const ofLists = { store, lists, maxBytes: limits.resourceListBytes };
  const resourceLists = startResourceLists({ ...parts, ...ofLists });
  const settings = config.changeLists;
  const changeLists = await startOwnDocuments({ ...engine, ...parts, describedBy, resourceLists, settings });
  const { changeListOf, beforeTrim } = changeLists;
  const live = createLiveChannels({
    ...parts,
    ...config.live,
    limits: { ...limits, ...config.live },
    changeListOf,
  });
  const publishing = { channels, accept, maxBytes: notificationBytes, enter, events };
  const publish = publishRoutes({ ...access, ...live, ...publishing });
  const upkeep = startUpkeep({ ...parts, ...requests, retention: config.log, beforeTrim });
  const validate = validateRoute({ ...access, maxBytes: validateBytes, perMinute, now });

  const operated = { ...engine, ...parts, ...config.delivery, deadLetters: engine.deadLetters };
  const operations = createOperations({ ...operated, ...requests, records, delivery, watching });
  const baseUrl = operatorsUrlOf(config);
  const operators = operatorsRoutes({ baseUrl, operations, authorise: access.operate });

  return {
    served: {
      ...parts,
      operators,
      operatorsApart: config.admin?.listen !== undefined,
      describedBy,
      limits,
      ...access,
      publish,
      subscribe: requests.accept,
      ping,
      validate,
      live,
      resourceLists,
      changeLists,
      metrics,
    },
    durability: await log.describeDurability(),
    reloadAccess: access.reload,
    async end(deadline: AbortSignal): Promise<void> {
      const fetching = [fetched, watching, changeLists, resourceLists, upkeep].map((part) => part.close());
      await Promise.all([...fetching, live.close(deadline), delivery.close(deadline)]);
      // What delivered may have ended a subscription, whose callback is still being told.
      await requests.settled();
    },
    async release(): Promise<void> {
      await Promise.all([access.close(), outbound.close(), requests.close()]);
      await engine.close();
    },
  };
}

/** Calling again gives the same promise. */
function once(stop: () => Promise<void>): () => Promise<void> {
  let stopped: Promise<void> | undefined;
  return () => (stopped ??= stop());
}
