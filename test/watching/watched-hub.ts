import { createChannels } from "../../src/channels/registry.ts";
import { parseSetId, type SetId } from "../../src/channels/channel.ts";
import { judgeNotification } from "../../src/protocol/judge-notification.ts";
import { readChanges, type ReadChanges } from "../../src/protocol/read-changes.ts";
import { acceptNotifications } from "../../src/publish/accept-notification.ts";
import { createOutboundHttp } from "../../src/security/outbound-http.ts";
import { startWatching, type Watching } from "../../src/watching/start-watching.ts";
import type { WatchStore } from "../../src/watching/watch-store.ts";
import { silentEvents, type TestEngine } from "../support/engines.ts";
import { testChannel } from "../support/new-notification.ts";

const names =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';

export function setId(id = "maps"): SetId {
  const set = parseSetId(id);
  if (set === undefined) throw new Error(`${id} is no set id`);
  return set;
}

export interface ListedInTest {
  readonly uri: string;
  readonly change?: "created" | "updated" | "deleted";
  /** Milliseconds since 1970. */
  readonly at?: number | undefined;
  /** Core 0.9: the time stands in lastmod alone. */
  readonly lastmodOnly?: boolean;
}

export const iso = (at: number): string => new Date(at).toISOString().replace(".000Z", "Z");

export function changeList(
  changes: readonly ListedInTest[],
  { from, until, next }: { from?: number; until?: number; next?: string } = {},
): string {
  const entries = changes.map(({ uri, change = "updated", at, lastmodOnly = false }) => {
    const time = at === undefined ? "" : iso(at);
    const lastmod = lastmodOnly && time !== "" ? `<lastmod>${time}</lastmod>` : "";
    const datetime = lastmodOnly || time === "" ? "" : ` datetime="${time}"`;
    return `<url><loc>${uri}</loc>${lastmod}<rs:md change="${change}"${datetime}/></url>`;
  });
  const times = [
    from === undefined ? "" : ` from="${iso(from)}"`,
    until === undefined ? "" : ` until="${iso(until)}"`,
  ];
  const link = next === undefined ? "" : `<rs:ln rel="next" href="${next}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${names}>${link}<rs:md capability="changelist"${times.join("")}/>\n${entries.join("\n")}\n</urlset>`;
}

export function changeListIndex(
  lists: readonly { readonly url: string; readonly from?: number; readonly until?: number }[],
  from: number,
): string {
  const entries = lists.map((list) => {
    const times = [
      list.from === undefined ? "" : ` from="${iso(list.from)}"`,
      list.until === undefined ? "" : ` until="${iso(list.until)}"`,
    ];
    return `<sitemap><loc>${list.url}</loc><rs:md${times.join("")}/></sitemap>`;
  });
  return `<sitemapindex ${names}><rs:md capability="changelist" from="${iso(from)}"/>${entries.join("")}</sitemapindex>`;
}

export interface WatchingHub extends AsyncDisposable, Pick<Watching, "takeChangeList" | "watched"> {}

export interface WatchingHubOptions {
  readonly store?: WatchStore;
  readonly now?: () => number;
  readonly profile?: "auto" | "1.0.1";
  readonly notificationBytes?: number;
  readonly repeatWindow?: number;
}

/** What watches, with nothing around it but the log; the set `maps` has no list of its own. */
export function watchOn(engine: TestEngine, options: WatchingHubOptions = {}): WatchingHub {
  const { store = engine.watches, now = Date.now, profile = "auto" } = options;
  const { notificationBytes = 5_000_000, repeatWindow = 86_400_000 } = options;
  const set = { id: setId(), capabilities: {}, profile, channels: "websub" as const, topics: {} };
  const channels = createChannels({ baseUrl: "https://hub.example.org", sets: [set] });
  const limits = { notificationBytes, resourceListBytes: 50_000_000 };
  const events = silentEvents;
  const accept = acceptNotifications({ log: engine.log, events, limits, repeatWindow });
  const outbound = createOutboundHttp({ allow: ["127.0.0.0/8"], events, userAgent: "test" });
  const watching = startWatching({
    channels,
    watches: store,
    log: engine.log,
    accept,
    outbound,
    events,
    watching: { min: 100, max: 1000 },
    limits,
    now,
  });
  return {
    takeChangeList: watching.takeChangeList,
    watched: () => watching.watched(),
    async [Symbol.asyncDispose]() {
      await watching.close();
      await outbound.close();
    },
  };
}

export interface PublishedNotification extends ReadChanges {
  readonly text: string;
}

/** What is in the log of the set's change channel. Throws where a notification is not valid by the letter of 1.0.1. */
export async function publishedIn(
  engine: Pick<TestEngine, "log">,
): Promise<readonly PublishedNotification[]> {
  const pages = await engine.log.read(testChannel(), 0, 10_000);
  return pages.map(({ payload }) => {
    const verdict = judgeNotification(payload, "change-notification", "1.0.1");
    if (verdict.kind === "refused") throw new Error(JSON.stringify(verdict.faults));
    const read = readChanges(payload);
    if (read === undefined) throw new Error("unreadable");
    return { ...read, text: payload.toString() };
  });
}
