import type { ChannelId, SetId } from "../channels/channel.ts";
import type { ResourceSet } from "../channels/registry.ts";
import { reportFault } from "../log/report-fault.ts";
import { startPeriodicTask } from "../observability/periodic-task.ts";
import type { OutboundHttp } from "../security/outbound-http.ts";
import type { BaselineOutcome } from "./baseline-outcome.ts";
import { fetchList } from "./fetch-list.ts";
import { type CurrentLists, type KeepingParts, keepSet } from "./kept-set.ts";
import type { WrittenLists } from "./resource-state.ts";
import type { ResourceStore } from "./resource-store.ts";

/** One list of a snapshot, compressed with gzip. */
export interface ListToSend {
  readonly snapshot: WrittenLists;
  /** Bytes, compressed. */
  readonly length: number;
  readonly read: () => AsyncIterable<Buffer>;
}

export interface ResourceLists {
  /** Whether a baseline was ever taken for the set. */
  has(set: SetId): Promise<boolean>;
  /** The lists of the set as it is now, or was at most `refresh` ago; `undefined` where there is no baseline. */
  current(set: SetId): Promise<CurrentLists>;
  /** The list with this number, of the present snapshot or of the one before. */
  list(set: SetId, number: number): Promise<ListToSend | undefined>;
  /** Takes a baseline that the Source sends. */
  take(set: SetId, pieces: AsyncIterable<Uint8Array>): Promise<BaselineOutcome>;
  close(): Promise<void>;
}

interface Parts extends Omit<KeepingParts, "fetch" | "stopping"> {
  readonly channels: { readonly sets: readonly ResourceSet[] };
  readonly outbound: Pick<OutboundHttp, "request">;
}

const foldEvery = 30_000;
const fetchEvery = 10 * 60_000;

async function* blocksOf(
  store: Pick<ResourceStore, "block">,
  channel: ChannelId,
  edition: string,
  { list, blocks }: { readonly list: number; readonly blocks: number },
): AsyncIterable<Buffer> {
  for (let block = 0; block < blocks; block += 1) {
    const bytes = await store.block(channel, edition, list, block);
    if (bytes === undefined)
      throw new Error(`block ${block} of a Resource List is not in the store any more`);
    yield bytes;
  }
}

/** Keeps the Resource Lists of the sets: baselines, the changes folded into them, and the lists that are served. */
export function startResourceLists(parts: Parts): ResourceLists {
  const { channels, store, outbound, events, maxBytes } = parts;
  const stopping = new AbortController();
  const fetch = fetchList(outbound, maxBytes, stopping.signal);
  const keeping = { ...parts, fetch, stopping: stopping.signal };
  const kept = new Map(channels.sets.map((set) => [set.id, keepSet(set, keeping)]));

  const tasks = [
    startPeriodicTask(
      foldEvery,
      async () => {
        for (const each of kept.values()) await each.keepUp();
      },
      reportFault(events, "resource lists"),
    ),
    startPeriodicTask(
      fetchEvery,
      async () => {
        for (const { id, baseline } of channels.sets) {
          if (baseline !== undefined) await kept.get(id)?.fetchMissing(baseline);
        }
      },
      reportFault(events, "baselines"),
    ),
  ];

  return {
    has: async (id) => (await kept.get(id)?.head()) !== undefined,
    current: async (id) => await kept.get(id)?.current(),
    async list(id, number) {
      const set = kept.get(id);
      const state = (await set?.head())?.state;
      for (const snapshot of [state?.written, state?.earlier]) {
        if (set === undefined || !snapshot) continue;
        const index = number - snapshot.first;
        const list = snapshot.lists[index];
        if (list === undefined) continue;
        const place = { list: index, blocks: list.blocks };
        const read = () => blocksOf(store, set.channel, snapshot.edition, place);
        return { snapshot, length: list.bytes, read };
      }
      return undefined;
    },
    async take(id, pieces) {
      const set = kept.get(id);
      if (set === undefined) throw new Error(`no set ${id}`);
      return await set.take(pieces);
    },
    async close() {
      stopping.abort();
      await Promise.all(tasks.map((task) => task.close()));
      await Promise.all([...kept.values()].map((set) => set.settled()));
    },
  };
}
