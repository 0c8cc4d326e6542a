import type { ChannelId } from "../channels/channel.ts";
import { reportFault } from "../log/report-fault.ts";
import type { Events } from "../observability/events.ts";
import type { DeliveryRecord, DeliveryRecords, RecordQuery } from "./delivery-records.ts";
import { endOf, type RecordRings, type Ring, ringOf, rings as allRings } from "./record-rings.ts";

interface Parts {
  readonly rings: RecordRings;
  /** Records of each ring of a channel. */
  readonly max: number;
  /** Milliseconds. */
  readonly keep: number;
  readonly events: Pick<Events, "storageUnavailable" | "unexpected">;
  readonly now: () => number;
}

/** Milliseconds in which the records of many deliveries gather for one write. */
const gatherFor = 300;
/** Records of one write: a reader takes whole batches. */
const batchLength = 250;
/** What waits of one ring while the store is slow; the oldest go first. */
const mostWaiting = 5000;

/** Records attempts behind the deliveries: the store is asked a few times a second, however many there are. */
export function recordDeliveries({ rings, max, keep, events, now }: Parts): DeliveryRecords {
  const report = reportFault(events, "delivery records");
  let waiting = new Map<ChannelId, Record<Ring, DeliveryRecord[]>>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const writeRing = async (channel: ChannelId, ring: Ring, records: readonly DeliveryRecord[]) => {
    const length = Math.min(batchLength, max);
    for (let at = 0; at < records.length; at += length) {
      const bounds = { max, cutoff: now() - keep };
      await rings.append(channel, ring, records.slice(at, at + length), bounds);
    }
  };
  const writeAll = async (): Promise<void> => {
    const taken = waiting;
    waiting = new Map();
    for (const [channel, ofChannel] of taken) {
      for (const ring of allRings) await writeRing(channel, ring, ofChannel[ring]);
    }
  };
  /** One write after the other; what a store that is away does not take is lost. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll).catch(report);
    return writing;
  };

  const ofRing = async (channel: ChannelId, ring: Ring, query: RecordQuery): Promise<DeliveryRecord[]> => {
    const { subscription, outcome, limit } = query;
    const since = Math.max(query.since ?? 0, now() - keep);
    const found: DeliveryRecord[] = [];
    for await (const batch of rings.newest(channel, ring)) {
      const recent = batch.filter((record) => endOf(record) >= since);
      const matching = recent.filter(
        (record) =>
          (subscription === undefined || record.subscription === subscription) &&
          (outcome === undefined || record.outcome === outcome),
      );
      found.push(...matching.toReversed());
      if (found.length >= limit || recent.length === 0) break;
    }
    return found;
  };

  return {
    record(channel, record) {
      const ofChannel = waiting.get(channel) ?? { delivered: [], failed: [] };
      waiting.set(channel, ofChannel);
      const ring = ofChannel[ringOf(record.outcome)];
      ring.push(record);
      if (ring.length > mostWaiting) ring.splice(0, mostWaiting / 2);
      timer ??= setTimeout(() => void flush(), gatherFor).unref();
    },
    async of(channel, query) {
      const wanted = query.outcome === undefined ? allRings : [ringOf(query.outcome)];
      const found = await Promise.all(wanted.map((ring) => ofRing(channel, ring, query)));
      return found
        .flat()
        .toSorted((a, b) => endOf(b) - endOf(a))
        .slice(0, query.limit);
    },
    close: flush,
  };
}
