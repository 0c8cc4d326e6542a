import type { ChannelId } from "../channels/channel.ts";
import { StorageUnavailable } from "../log/notification-log.ts";
import type { Fault } from "../protocol/fault.ts";
import { type Instant, instantAt } from "../protocol/instant.ts";
import { defaultLimits } from "../protocol/reading-limits.ts";
import { createResourceListReader, type ResourceListHead } from "../protocol/read-resource-list.ts";
import type { ListedResource } from "../protocol/resource-entry.ts";
import { NotTaken, unusable } from "./baseline-outcome.ts";
import type { FetchedList } from "./fetch-list.ts";
import { resourceKey, type ResourceStore } from "./resource-store.ts";

const rowsAtOnce = 1000;
/** Rows of a baseline give way to every change. */
const beforeEveryChange = instantAt(0);

export interface Import {
  readonly channel: ChannelId;
  readonly edition: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  resources: number;
  readonly warnings: Fault[];
}

export interface Snapshot {
  readonly at: Instant;
  readonly completed: Instant | undefined;
}

interface Parts {
  readonly store: Pick<ResourceStore, "fill">;
  readonly fetch: (url: string) => Promise<FetchedList>;
  readonly maxBytes: number;
  readonly now: () => number;
  readonly stopping: AbortSignal;
}

/** Reads a Resource List, or an index and the lists that it names, into an edition of the store. Throws `NotTaken`. */
export function importLists({ store, fetch, maxBytes, now, stopping }: Parts) {
  async function readDocument(
    into: Import,
    pieces: AsyncIterable<Uint8Array>,
    document: string | undefined,
    take: (entries: readonly ListedResource[]) => Promise<void>,
  ): Promise<ResourceListHead> {
    const reader = createResourceListReader({ ...defaultLimits, bytes: maxBytes });
    for await (const piece of pieces) {
      if (now() > into.endsAt) throw unusable("The baseline took too long to arrive. Nothing was taken.");
      if (stopping.aborted) throw new StorageUnavailable("The hub is stopping: the baseline was not taken");
      await take(reader.write(piece));
    }
    const reading = reader.end();
    if (reading.kind === "refused") throw new NotTaken({ ...reading, document });
    into.warnings.push(...reading.warnings);
    return reading.head;
  }

  /** Gathers rows into steps of the store. */
  function filler(into: Import) {
    let waiting: ListedResource[] = [];
    const flush = async (least: number): Promise<void> => {
      while (waiting.length >= least) {
        const rows = waiting
          .splice(0, rowsAtOnce)
          .map(({ uri, xml }) => ({ key: resourceKey(uri), changedAt: beforeEveryChange, xml }));
        into.resources += await store.fill(into.channel, into.edition, rows);
      }
    };
    return {
      async add(entries: readonly ListedResource[]): Promise<void> {
        waiting = waiting.concat(entries);
        await flush(rowsAtOnce);
      },
      end: () => flush(1),
    };
  }

  /** The lists of an index make one snapshot: it holds what the earliest of them holds, and ends with the last. */
  async function importNamed(into: Import, urls: readonly string[], index: Snapshot): Promise<Snapshot> {
    let { at, completed } = index;
    for (const url of urls) {
      const fetched = await fetch(url);
      if (fetched.kind === "failed") {
        throw unusable(`${fetched.reason}. Nothing was taken of the Resource List Index that names it.`);
      }
      const rows = filler(into);
      const list = await readDocument(into, fetched.pieces, url, (entries) => rows.add(entries));
      if (list.form === "sitemapindex") {
        throw unusable(
          `${url} is itself an index; a Resource List Index names Resource Lists (ResourceSync 1.1 §10.2).`,
        );
      }
      await rows.end();
      if (list.at < at) at = list.at;
      const ended = list.completed ?? list.at;
      if (completed !== undefined && ended > completed) completed = ended;
    }
    return { at, completed };
  }

  return async (
    into: Import,
    pieces: AsyncIterable<Uint8Array>,
    document: string | undefined,
  ): Promise<Snapshot> => {
    const rows = filler(into);
    const named: string[] = [];
    const reading = await readDocument(into, pieces, document, async (entries) => {
      for (const { uri, within } of entries) if (within === "sitemapindex") named.push(uri);
      await rows.add(entries.filter(({ within }) => within === "urlset"));
    });
    await rows.end();
    return reading.form === "sitemapindex" ? await importNamed(into, named, reading) : reading;
  };
}
