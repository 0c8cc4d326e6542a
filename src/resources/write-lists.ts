import { once } from "node:events";
import { createGzip } from "node:zlib";
import type { ChannelId } from "../channels/channel.ts";
import { newEpoch } from "../log/new-epoch.ts";
import { later } from "../protocol/instant.ts";
import { resourceListFrame } from "../protocol/write-resource-list.ts";
import type { ResourceState, WrittenLists } from "./resource-state.ts";
import type { ResourceHead, ResourceStore } from "./resource-store.ts";

/** ResourceSync 1.1 §7: 50 MB; the frame takes less than the difference. */
const maxBytes = 49_900_000;
const blockBytes = 256 * 1024;
/** A process that died while it wrote holds the others up no longer than this. */
const writingWithin = 30_000;

interface Parts {
  readonly store: ResourceStore;
  readonly resourcesPerList: number;
  readonly now: () => number;
  readonly stopping: AbortSignal;
}

interface SetUrls {
  readonly capabilityListUrl: string;
  readonly resourceListUrl: string;
}

type WrittenList = WrittenLists["lists"][number];

/** Groups the `url` elements into lists that keep to both limits; there is always a first list. */
async function* divided(
  elements: AsyncIterable<readonly string[]>,
  most: number,
): AsyncIterable<{ xml: string; count: number; ends: boolean }> {
  let [count, bytes] = [0, 0];
  let xml: string[] = [];
  let taken = 0;
  for await (const some of elements) {
    for (const element of some) {
      const length = Buffer.byteLength(element);
      if (count === most || (count > 0 && bytes + length > maxBytes)) {
        yield { xml: xml.join(""), count: taken, ends: true };
        [count, bytes, xml, taken] = [0, 0, [], 0];
      }
      count += 1;
      taken += 1;
      bytes += length;
      xml.push(element);
    }
    yield { xml: xml.join(""), count: taken, ends: false };
    [xml, taken] = [[], 0];
  }
  yield { xml: "", count: 0, ends: true };
}

/** Compresses one list into blocks of the store as it comes, so that no list is ever in memory as a whole. */
function blockWriter(put: (block: number, bytes: Buffer) => Promise<void>) {
  const gzip = createGzip();
  const written = { blocks: 0, bytes: 0 };
  const storing = (async () => {
    let waiting: Buffer[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      if (size === 0) return;
      await put(written.blocks, Buffer.concat(waiting, size));
      written.blocks += 1;
      written.bytes += size;
      [waiting, size] = [[], 0];
    };
    for await (const chunk of gzip) {
      if (!Buffer.isBuffer(chunk)) continue;
      waiting.push(chunk);
      size += chunk.length;
      if (size >= blockBytes) await flush();
    }
    await flush();
  })();
  // Whoever ends the writer is told; until then nobody waits for this promise.
  storing.catch((error: unknown) => gzip.destroy(error instanceof Error ? error : undefined));
  gzip.on("error", () => {});
  return {
    async write(text: string): Promise<void> {
      if (!gzip.write(text) && !gzip.destroyed) await Promise.race([once(gzip, "drain"), storing]);
    },
    async end(): Promise<{ readonly blocks: number; readonly bytes: number }> {
      gzip.end();
      await storing;
      return written;
    },
  };
}

/** Raised by revision: nobody folds while it lasts, and whoever holds it finds out when the state moved all the same. */
function lease(
  store: Pick<ResourceStore, "change">,
  channel: ChannelId,
  head: ResourceHead,
  now: () => number,
) {
  let { revision } = head;
  let until = 0;
  const move = async (state: ResourceState): Promise<boolean> => {
    const moved = await store.change(channel, revision, state, []);
    revision += 1;
    return moved;
  };
  return {
    /** Answers whether the state is still what it was. */
    async keep(): Promise<boolean> {
      if (now() < until - writingWithin / 2) return true;
      until = now() + writingWithin;
      return await move({ ...head.state, writingUntil: until });
    },
    move,
  };
}

/**
 * Writes the lists of one state: nothing is folded meanwhile, and a snapshot whose state was moved all the same, by a new
 * baseline, is left alone. Answers whether it was put in force.
 */
export function writeLists({ store, resourcesPerList, now, stopping }: Parts) {
  async function writeAll(
    channel: ChannelId,
    edition: string,
    elements: AsyncIterable<readonly string[]>,
    { before, after }: { readonly before: string; readonly after: string },
    goOn: () => Promise<boolean>,
  ): Promise<readonly WrittenList[] | undefined> {
    const lists: WrittenList[] = [];
    const open = () =>
      blockWriter((block, bytes) => store.putBlock(channel, edition, lists.length, block, bytes));
    let list: ReturnType<typeof open> | undefined;
    let resources = 0;
    for await (const { xml, count, ends } of divided(elements, resourcesPerList)) {
      if (list === undefined) {
        list = open();
        await list.write(before);
      }
      await list.write(xml);
      resources += count;
      if (!(await goOn())) return undefined;
      if (!ends) continue;
      await list.write(after);
      lists.push({ resources, ...(await list.end()) });
      [list, resources] = [undefined, 0];
    }
    return lists;
  }

  return async (channel: ChannelId, urls: SetUrls): Promise<boolean> => {
    const head = await store.head(channel);
    if (head === undefined || head.state.writingUntil > now()) return false;
    const { state } = head;
    const held = lease(store, channel, head, now);
    if (!(await held.keep())) return false;

    const edition = newEpoch();
    await store.begin(channel, edition, now());
    const times = { at: state.coveredUntil, completed: later(state.knownUntil, state.coveredUntil) };
    const indexUrl = head.resources > resourcesPerList ? urls.resourceListUrl : undefined;
    const frame = resourceListFrame({ capabilityListUrl: urls.capabilityListUrl, indexUrl }, times);
    const elements = store.listed(channel, state.generation);
    const goOn = async () => !stopping.aborted && (await held.keep());
    const lists = await writeAll(channel, edition, elements, frame, goOn);
    if (lists === undefined) {
      // So that the next process need not wait for the lease to end; where the state was moved, this does nothing.
      await held.move({ ...state, writingUntil: 0 });
      return false;
    }
    const { generation, cursor, written: earlier } = state;
    const first = earlier === null ? 1 : earlier.first + earlier.lists.length;
    const written = { edition, generation, cursor, ...times, writtenAt: now(), first, lists };
    return await held.move({ ...state, written, earlier, writingUntil: 0 });
  };
}
