import {
  collectDefaultMetrics,
  Counter,
  type CounterConfiguration,
  Gauge,
  Histogram,
  type LabelValues,
  Registry,
} from "prom-client";

/** Channels are those of the configuration; but topics elsewhere come and go, so they share one label. */
function withFewChannels<Labels extends object>(labels: Labels): Labels {
  return "channel" in labels && String(labels.channel).startsWith("_elsewhere/")
    ? { ...labels, channel: "elsewhere" }
    : labels;
}

function createCounter<Label extends string>(configuration: CounterConfiguration<Label>) {
  const counted = new Counter(configuration);
  return {
    inc: (labels: LabelValues<Label> = {}, by = 1): void => counted.inc(withFewChannels(labels), by),
    get: () => counted.get(),
  };
}

/** What makes metrics that one registry shows. */
function makersFor(registry: Registry) {
  const registers = [registry];
  const seconds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      createCounter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Gauge({ name, help, labelNames, registers }),
    seconds: (name: string, help: string) => new Histogram({ name, help, buckets: seconds, registers }),
  };
}

type Makers = ReturnType<typeof makersFor>;

const ofAccess = ({ counter }: Makers) => ({
  accessRefused: counter("hub_access_refused_total", "Requests refused for their token, by status", [
    "status",
  ]),
  signedTokensRefused: counter("hub_signed_tokens_refused_total", "Signed tokens that were not believed"),
  keyFaults: counter("hub_key_set_faults_total", "Times that the keys of the issuer could not be loaded"),
});

const ofPublishing = ({ counter }: Makers) => ({
  published: counter("hub_notifications_published_total", "Notifications appended to a channel's log", [
    "channel",
  ]),
  repeated: counter("hub_notifications_repeated_total", "Publications of a document that came before", [
    "channel",
  ]),
  refused: counter("hub_notifications_refused_total", "Publications that were refused, by status", [
    "status",
  ]),
  intervals: counter("hub_interval_faults_total", "Gaps and overlaps between change notifications (S02)", [
    "channel",
    "fault",
  ]),
});

const ofSubscriptions = ({ counter }: Makers) => ({
  verifications: counter("hub_intent_verifications_total", "Verifications of intent, by how they ended", [
    "mode",
    "outcome",
  ]),
  requestsRefused: counter(
    "hub_subscription_requests_refused_total",
    "Subscription requests refused by a limit or by the list of callbacks",
    ["reason"],
  ),
  denials: counter("hub_subscriptions_denied_total", "Callbacks that were told of a denial"),
  subscriptionsEnded: counter("hub_subscriptions_ended_total", "Subscriptions that ended, by why", [
    "reason",
  ]),
});

const ofDelivery = ({ counter, gauge, seconds }: Makers) => ({
  attempts: counter("hub_delivery_attempts_total", "Attempts to deliver to a callback, by how they ended", [
    "outcome",
  ]),
  parked: counter("hub_dead_letters_total", "Notifications parked after the last attempt", ["channel"]),
  circuitTurns: counter("hub_circuit_turns_total", "Circuits of callback origins that opened or closed", [
    "turn",
  ]),
  openCircuits: gauge("hub_open_circuits", "Callback origins whose circuit is not closed"),
  deliverySeconds: seconds(
    "hub_publish_to_delivery_seconds",
    "From the append to the acknowledgement of a callback, first attempts only",
  ),
  missed: counter(
    "hub_notifications_missed_total",
    "Notifications that left the log before a subscription got them",
    ["channel"],
  ),
});

const ofLiveChannels = ({ counter, gauge }: Makers) => ({
  liveReaders: gauge("hub_live_readers", "Connected readers", ["channel", "transport"]),
  liveFrames: counter("hub_live_frames_total", "Frames sent to live readers", ["channel", "transport"]),
  liveGaps: counter("hub_live_gaps_total", "Readers that were told of a gap", ["channel"]),
});

const ofLimits = ({ counter }: Makers) => ({
  limited: counter("hub_limited_total", "Requests, connections and readers refused or ended by a limit", [
    "limit",
  ]),
});

const ofFetching = ({ counter }: Makers) => ({
  topicFetches: counter("hub_topic_fetches_total", "Fetches of topics that were pinged, by how they ended", [
    "outcome",
  ]),
  looks: counter("hub_watch_looks_total", "Looks at the Change Lists of Sources, by what they brought", [
    "set",
    "outcome",
  ]),
  changesTaken: counter("hub_watch_changes_total", "Changes taken from the Change Lists of Sources", [
    "channel",
  ]),
  outboundRefused: counter("hub_outbound_refused_total", "Outbound requests refused by the address guard"),
});

const ofStorage = ({ counter }: Makers) => ({
  trimmed: counter("hub_notifications_trimmed_total", "Notifications that retention removed", ["channel"]),
  changeListsClosed: counter("hub_change_lists_closed_total", "Change Lists closed", ["channel"]),
  storageFaults: counter("hub_storage_faults_total", "Times that the store could not be reached"),
});

/** Everything that `/metrics` shows. Labels are few and their values are bounded by the configuration. */
export function createMetrics() {
  const registry = new Registry();
  const makers = makersFor(registry);
  collectDefaultMetrics({ register: registry, prefix: "hub_" });
  return {
    registry,
    ...ofAccess(makers),
    ...ofPublishing(makers),
    ...ofSubscriptions(makers),
    ...ofDelivery(makers),
    ...ofLiveChannels(makers),
    ...ofLimits(makers),
    ...ofFetching(makers),
    ...ofStorage(makers),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
