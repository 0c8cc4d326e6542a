import { randomUUID } from "node:crypto";
import type { ChannelId } from "../../src/channels/channel.ts";
import { createChannels } from "../../src/channels/registry.ts";
import { parseSetId } from "../../src/channels/channel.ts";
import { createChangeLists } from "../../src/discovery/change-lists.ts";
import { createAnnouncer } from "../../src/discovery/framework-announcement.ts";
import type { Entry } from "../../src/log/notification-log.ts";
import { silentEvents, type TestEngine } from "../support/engines.ts";
import { entryOf, newNotification, testChannel } from "../support/new-notification.ts";

export const changes = testChannel();
export const baseUrl = "https://hub.example.org";
const setUrl = `${baseUrl}/sets/maps`;
export const listUrl = (n: number): string => `${setUrl}/changelists/${n}.xml`;
export const topUrl = `${setUrl}/changelist.xml`;

/** A change notification of 1.0.1; `entries` are `url` elements, or URIs that were updated at a datetime. */
export function notification(
  entries: readonly (string | readonly [uri: string, datetime: string])[],
  { from = "2026-01-01T00:00:00Z", until = "2026-01-01T01:00:00Z" } = {},
): string {
  const urls = entries.map((entry) =>
    typeof entry === "string"
      ? entry
      : `<url><loc>${entry[0]}</loc><rs:md change="updated" datetime="${entry[1]}"/></url>`,
  );
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="change-notification" from="${from}" until="${until}"/>${urls.join("")}<!-- ${randomUUID()} --></urlset>`;
}

export async function publish(
  { log }: Pick<TestEngine, "log">,
  payload: string,
  channel: ChannelId = changes,
): Promise<Entry> {
  return entryOf(await log.append(channel, newNotification(payload)));
}

interface Options {
  readonly entries?: number;
  readonly period?: number;
  readonly keep?: number;
  readonly archive?: boolean;
  readonly now?: () => number;
  readonly profile?: "auto" | "0.8";
}

/** The Change Lists of one set, `maps`, on a store: what a process of the hub has of it. */
export function listsOn({ log, lists }: Pick<TestEngine, "log" | "lists">, options: Options = {}) {
  const { entries = 3, period = 86_400_000, keep = 86_400_000, archive = false, now = Date.now } = options;
  const id = parseSetId("maps")!;
  const { profile = "auto" } = options;
  const set = { id, capabilities: {}, profile, channels: "websub" as const, topics: {} };
  const channels = createChannels({ baseUrl, sets: [set] });
  const announce = createAnnouncer({ log, events: silentEvents });
  const settings = { entries, period, keep, archive };
  const made = createChangeLists({ channels, log, lists, announce, settings, events: silentEvents, now });
  const text = async (document: Awaited<ReturnType<typeof made.top>>): Promise<string> =>
    document === undefined ? "" : (await document.plain()).toString();
  return {
    ...made,
    channels,
    topText: async () => await text(await made.top("maps")),
    listText: async (n: number) => {
      const answer = await made.list("maps", n);
      return answer.kind === "found" ? await text(answer.document) : answer.kind;
    },
  };
}
