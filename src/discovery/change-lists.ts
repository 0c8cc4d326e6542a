import type { Channel, ChannelId } from "../channels/channel.ts";
import type { Channels, ResourceSet } from "../channels/registry.ts";
import { reportFault } from "../log/report-fault.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { type PeriodicTask, startPeriodicTask } from "../observability/periodic-task.ts";
import type { HubDocuments } from "./capability-list.ts";
import type { ClosedLists } from "./closed-lists.ts";
import type { Announce } from "./framework-announcement.ts";
import type { ListBounds } from "./growing-list.ts";
import { keptSets } from "./kept-sets.ts";
import { createListUpkeep } from "./list-upkeep.ts";
import {
  archiveDocument,
  type ListAnswer,
  listDocument,
  type ListDocument,
  topDocument,
} from "./served-lists.ts";

interface Settings extends ListBounds {
  /** Milliseconds after its `until` for which a closed list is kept. */
  readonly keep: number;
  readonly archive: boolean;
}

export interface ChangeListParts {
  readonly channels: Channels;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly lists: ClosedLists;
  readonly announce: Announce;
  readonly settings: Settings;
  readonly events: Events;
  readonly now: () => number;
}

export interface ChangeLists {
  /** What the hub's Capability List of the set names. */
  readonly documentsOf: (set: Pick<ResourceSet, "id">) => HubDocuments;
  /** Where a reader of the channel finds what the log no longer has. */
  readonly changeListOf: (channel: Pick<Channel, "set" | "kind">) => string | undefined;
  /** The Change List, or the index of all once one was closed; `undefined` where the hub makes none of this set. */
  readonly top: (set: string) => Promise<ListDocument | undefined>;
  readonly list: (set: string, n: number) => Promise<ListAnswer>;
  /** `undefined` where none is configured. */
  readonly archive: (set: string) => Promise<ListDocument | undefined>;
  /** Closes what holds notifications up to `sequence`, so that the log can let go of them. */
  readonly beforeTrim: (channel: ChannelId, sequence: number) => Promise<void>;
  /** Reads what is new, closes what is full or old, announces what was closed, drops what was kept long enough. */
  readonly round: () => Promise<void>;
  readonly startRounds: () => PeriodicTask;
}

const roundEvery = 5_000;

/** The Change Lists of every set whose Source keeps none itself, made from the log of its change channel. */
export function createChangeLists({
  channels,
  log,
  lists,
  announce,
  settings,
  events,
  now,
}: ChangeListParts): ChangeLists {
  const sets = keptSets(channels, { log, lists, bounds: settings, events, now });
  const upkeep = createListUpkeep({ lists, announce, keep: settings.keep, events, now });
  const round = () => upkeep(sets.values());

  return {
    documentsOf: ({ id }) => {
      const set = sets.get(id);
      if (set === undefined) return {};
      const archive = settings.archive ? { "changelist-archive": set.urls.archive } : {};
      return { changelist: set.urls.top, ...archive };
    },
    changeListOf: ({ set, kind }) => {
      if (kind !== "change-notification") return undefined;
      const own = channels.sets.find(({ id }) => id === set)?.capabilities.changelist;
      return own ?? sets.get(set)?.urls.top;
    },
    top: async (id) => {
      const set = sets.get(id);
      return set === undefined ? undefined : await topDocument(lists, set);
    },
    list: async (id, n) => {
      const set = sets.get(id);
      return set === undefined ? { kind: "never" } : await listDocument(lists, set, n);
    },
    archive: async (id) => {
      const set = sets.get(id);
      return set === undefined || !settings.archive ? undefined : await archiveDocument(lists, set);
    },
    beforeTrim: async (channel, sequence) => {
      for (const set of sets.values()) {
        if (set.channel.id === channel) await set.keeper.closeThrough(sequence);
      }
    },
    round,
    startRounds: () => startPeriodicTask(roundEvery, round, reportFault(events, "change lists")),
  };
}
