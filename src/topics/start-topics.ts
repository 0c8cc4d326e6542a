import type { ChannelId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import type { Topics } from "../channels/topic.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import { startPeriodicTask } from "../observability/periodic-task.ts";
import type { AcceptNotification } from "../publish/accept-notification.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import type { TakeChangeList } from "../watching/change-list-intake.ts";
import { type AcceptPing, acceptPings } from "./accept-ping.ts";
import { type Admission, type AdmittedTopics, createAdmission } from "./admission.ts";
import { answered, type FetchOutcome } from "./fetch-outcome.ts";
import { createFetchSlots } from "./fetch-slots.ts";
import { changeListTargets, targetOfName } from "./fetch-targets.ts";
import { fetchTopics } from "./fetch-topic.ts";
import { forgetTopics } from "./forget-topics.ts";
import { knownTopics } from "./known-topics.ts";
import { createPendingFetches, type PendingRows } from "./pending-fetches.ts";
import { refreshChangeLists } from "./refresh-change-list.ts";
import { refreshSetTopics } from "./refresh-set-topic.ts";
import { refreshTopics } from "./refresh-topic.ts";
import { isElsewhere } from "./topic-elsewhere.ts";
import { startTopicFetches } from "./topic-fetches.ts";
import type { TopicStore } from "./topic-store.ts";
import { validateTopics } from "./validate-topic.ts";

interface Parts {
  readonly channels: Channels;
  readonly topicStore: TopicStore;
  readonly pendingRows: PendingRows;
  readonly log: NotificationLog;
  readonly subscriptions: { list(channel: ChannelId): Promise<readonly unknown[]> };
  readonly outbound: Pick<OutboundHttp, "request">;
  readonly accept: AcceptNotification;
  readonly takeChangeList: TakeChangeList;
  readonly events: Events;
  /** `topics` of the configuration. */
  readonly admitted: readonly AdmittedTopics[];
  readonly limits: { readonly topicBytes: number; readonly resourceListBytes: number };
  /** Calls fetches off, for a hub that stops. */
  readonly abandon: AbortSignal;
  readonly now: () => number;
}

interface StartedTopics {
  /** The topics of the sets, and those elsewhere. */
  readonly topics: Topics;
  /** What can be subscribed to. */
  readonly admission: Admission;
  readonly validate: ReturnType<typeof validateTopics>;
  readonly ping: AcceptPing;
  /** Calls running fetches off: they are remembered. */
  close(): Promise<void>;
}

/** Validations that fetch at a time, apart from what pings have fetched. */
const validationsAtOnce = 8;
const forgetEvery = 60_000;

/** Topics that live elsewhere, and pings of whatever is fetched. */
export function startTopics(parts: Parts): StartedTopics {
  const { channels, topicStore: store, pendingRows, admitted, limits, events, abandon, now } = parts;
  const admission = createAdmission(channels, admitted);
  const mayLead = (from: string, to: string) => admission.mayLead(from, to);
  const stopping = new AbortController();
  const limit = { bytes: limits.topicBytes, key: "limits.topicBytes" };
  const validating = fetchTopics({ ...parts, mayLead, limit });
  const calling = { ...parts, mayLead, abandon: AbortSignal.any([abandon, stopping.signal]) };
  const fetch = fetchTopics({ ...calling, limit });
  const listLimit = { bytes: limits.resourceListBytes, key: "limits.resourceListBytes" };
  const inSlots = createFetchSlots(validationsAtOnce);
  const validate = validateTopics({
    ...parts,
    store,
    fetch: (...asked) => inSlots(() => validating(...asked)),
  });

  const take = parts.takeChangeList;
  const refresh = refreshTopics({ ...parts, store, fetch });
  const refreshSet = refreshSetTopics({ ...parts, store, fetch, take });
  const fetchList = fetchTopics({ ...calling, limit: listLimit });
  const refreshList = refreshChangeLists({ channels, fetch: fetchList, take, now });
  const fetchTarget = async (name: string): Promise<FetchOutcome> => {
    const target = targetOfName(name, channels);
    if (target === undefined) return answered;
    if (target.kind === "change-list") return await refreshList(target.set, target.url);
    return await (isElsewhere(target.id) ? refresh : refreshSet)(target.id);
  };
  const pending = createPendingFetches(pendingRows, now);
  const fetches = startTopicFetches({ pending, fetch: fetchTarget, events, now });
  const forgetting = startPeriodicTask(
    forgetEvery,
    forgetTopics({ ...parts, store }),
    reportFault(events, "topics elsewhere"),
  );

  return {
    topics: knownTopics(channels, store),
    admission,
    validate,
    ping: acceptPings({
      channels,
      admission,
      changeListOf: changeListTargets(channels.sets),
      store,
      pending,
      wake: () => fetches.wake(),
      events,
    }),
    async close(): Promise<void> {
      stopping.abort();
      await Promise.all([fetches.close(), forgetting.close()]);
    },
  };
}
