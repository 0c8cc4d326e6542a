import { createHash } from "node:crypto";
import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { Topic } from "../channels/topic.ts";
import { comparableUrl } from "../protocol/websub.ts";

/** Sets of resources begin with a letter or a digit: their channels never have such an id. */
const prefix = "_elsewhere/";
/** 132 of the digest's 256 bits: two URLs never meet in one. */
const digestLength = 22;

/** A topic elsewhere is known by the URL that is subscribed to, however that is percent-encoded (WebSub §5.1). */
export function idOfTopicElsewhere(url: string): ChannelId {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes them
  return `${prefix}${nameOf(url)}` as ChannelId;
}

export function isElsewhere(id: ChannelId): boolean {
  return id.startsWith(prefix);
}

/** What stands for a URL in keys of the store. */
export function nameOf(url: string): string {
  return createHash("sha256").update(comparableUrl(url)).digest("base64url").slice(0, digestLength);
}

const storedChannelId = z.custom<ChannelId>((value) => typeof value === "string" && value !== "");

/** What is known of a topic that the hub fetches: one elsewhere, or one of a set that lives at its Source. */
export const fetchedTopic = z.object({
  id: storedChannelId,
  /** As it was first asked for. */
  url: z.string(),
  /** `rel="self"` as discovered. */
  self: z.string().nullable(),
  /** `rel="hub"` as discovered. */
  hubs: z.array(z.string()),
  /** For conditional requests, and the URL (after redirects) from which they are. */
  validators: z
    .object({ url: z.string(), etag: z.string().nullable(), lastModified: z.string().nullable() })
    .nullable(),
  /** SHA-256 of the content, hexadecimal, as it was when `sequence` was the newest in the topic's log. */
  digest: z.string(),
  sequence: z.number(),
  /** Milliseconds since 1970. */
  fetchedAt: z.number(),
  /** When somebody last wanted to subscribe, or was found subscribed. Milliseconds since 1970. */
  wantedAt: z.number(),
  /** Counts the changes of this record, from 1. */
  revision: z.number(),
});

export type FetchedTopic = z.infer<typeof fetchedTopic>;

/** The topic as deliveries name it: by what was discovered (WebSub §7), with `hubUrl` as the publisher writes it. */
export function asTopic({ id, url, self, hubs }: FetchedTopic, hubUrl: string): Topic {
  const ours = hubs.find((hub) => comparableUrl(hub) === comparableUrl(hubUrl));
  return { id, topic: self ?? url, hubUrl: ours ?? hubUrl };
}

/** All that a ping may call the topic. */
export function namesOf({ url, self }: Pick<FetchedTopic, "url" | "self">): readonly string[] {
  return [...new Set([url, ...(self === null ? [] : [self])].map(nameOf))];
}
