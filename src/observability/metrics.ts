import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** Everything that `/metrics` shows. Labels are few and their values are bounded by the configuration. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const seconds = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60, 600];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });

  collectDefaultMetrics({ register: registry, prefix: "hub_" });
  return {
    registry,
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
    attempts: counter("hub_delivery_attempts_total", "Attempts to deliver to a callback, by how they ended", [
      "outcome",
    ]),
    parked: counter("hub_dead_letters_total", "Notifications parked after the last attempt", ["channel"]),
    circuitTurns: counter("hub_circuit_turns_total", "Circuits of callback origins that opened or closed", [
      "turn",
    ]),
    openCircuits: new Gauge({
      name: "hub_open_circuits",
      help: "Callback origins whose circuit is not closed",
      registers,
    }),
    deliverySeconds: new Histogram({
      name: "hub_publish_to_delivery_seconds",
      help: "From the append to the acknowledgement of a callback, first attempts only",
      buckets: seconds,
      registers,
    }),
    verifications: counter("hub_intent_verifications_total", "Verifications of intent, by how they ended", [
      "mode",
      "outcome",
    ]),
    subscriptionsEnded: counter("hub_subscriptions_ended_total", "Subscriptions that ended, by why", [
      "reason",
    ]),
    missed: counter(
      "hub_notifications_missed_total",
      "Notifications that left the log before a subscription got them",
      ["channel"],
    ),
    trimmed: counter("hub_notifications_trimmed_total", "Notifications that retention removed", ["channel"]),
    changeListsClosed: counter("hub_change_lists_closed_total", "Change Lists closed", ["channel"]),
    liveReaders: new Gauge({
      name: "hub_live_readers",
      help: "Connected readers",
      labelNames: ["channel", "transport"],
      registers,
    }),
    liveFrames: counter("hub_live_frames_total", "Frames sent to live readers", ["channel", "transport"]),
    liveGaps: counter("hub_live_gaps_total", "Readers that were told of a gap", ["channel"]),
    storageFaults: counter("hub_storage_faults_total", "Times that the store could not be reached", []),
    outboundRefused: counter(
      "hub_outbound_refused_total",
      "Outbound requests refused by the address guard",
      [],
    ),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
