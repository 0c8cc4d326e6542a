import type { Channels } from "../channels/registry.ts";
import type { Topic, Topics } from "../channels/topic.ts";
import type { DeliveryLedger } from "../delivery/delivery-ledger.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import { type ChannelPlaces, channelPlaces } from "./channel-places.ts";
import { inPieces } from "./in-pieces.ts";
import { byText, type Page, readPageEnd, writePageEnd } from "./page-cursor.ts";
import type { ListedChannel, SetList } from "./schemas/channels.ts";
import { stateOf } from "./subscription-row.ts";

interface Parts {
  readonly channels: Pick<Channels, "sets">;
  readonly topics: Pick<Topics, "all">;
  readonly log: Pick<NotificationLog, "bounds" | "read">;
  readonly ledger: Pick<DeliveryLedger, "ids" | "progress">;
  readonly now: () => number;
}

export interface Asked {
  readonly limit: number;
  readonly after?: string | undefined;
}

/** Subscriptions that are asked about at the same time. */
const atOnce = 200;

/** What an operator sees of the sets and of the channels, those of topics elsewhere among them. */
export function listChannels({ channels, topics, log, ledger, now }: Parts) {
  return {
    async sets(): Promise<SetList> {
      return {
        sets: channels.sets.map((set) => ({
          id: set.id,
          title: set.title,
          capabilityList: set.capabilityListUrl,
          channels: set.channels.map(({ id }) => id),
        })),
      };
    },
    /** Throws `OperationRefused`. */
    async channels({ limit, after }: Asked): Promise<Page<ListedChannel>> {
      const begin = after === undefined ? "" : readPageEnd(after).channel;
      const all = (await topics.all()).toSorted((a, b) => byText(a.id, b.id)).filter(({ id }) => id > begin);
      const page = all.slice(0, limit);
      const items: ListedChannel[] = [];
      for (const topic of page) items.push(await describe(topic));
      const last = all.length > limit ? page.at(-1) : undefined;
      return { items, after: last === undefined ? undefined : writePageEnd({ channel: last.id, id: "" }) };
    },
  };

  async function describe({ id, topic }: Topic): Promise<ListedChannel> {
    const places = channelPlaces(log, id, now);
    const { oldest, newest } = await places.bounds();
    const subscriptions = { active: 0, failing: 0, paused: 0 };
    for await (const progress of inPieces(await ledger.ids(id), atOnce, (each) =>
      ledger.progress(id, each),
    )) {
      if (progress !== undefined) subscriptions[stateOf(progress)] += 1;
    }
    return {
      id,
      topic,
      oldest: await placed(places, oldest),
      newest: await placed(places, newest),
      held: newest - oldest + 1,
      subscriptions,
    };
  }
}

async function placed(places: ChannelPlaces, sequence: number): Promise<ListedChannel["oldest"]> {
  const time = await places.timeOf(sequence);
  if (time === undefined) return undefined;
  return { position: await places.position(sequence), receivedAt: new Date(time).toISOString() };
}
