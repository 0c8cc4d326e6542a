import { createHash } from "node:crypto";
import type { ChannelId } from "../channels/channel.ts";

/**
 * Names of everything that belongs to one channel. They share a hash tag, so that a Redis Cluster keeps them on one node and
 * a script may use them together.
 */
export function channelKeys(prefix: string, channel: ChannelId) {
  const own = `${prefix}:{${channel}}`;
  return {
    /** Stream: the notifications; the entry with sequence number n has the id n-0. */
    log: `${own}:log`,
    /** Hash: newest sequence number, epochs, and what the next append compares with. */
    meta: `${own}:meta`,
    /** Hashes that expire: what was answered to a document, and to an idempotency key. */
    document: (digest: string) => `${own}:document:${digest}`,
    idempotencyKey: (key: string) => `${own}:key:${createHash("sha256").update(key).digest("base64url")}`,
    /** Hashes by subscription: the subscription, the sequence number delivered last, failures, what delivery waits for, claims. */
    subscriptions: `${own}:subscriptions`,
    cursors: `${own}:cursors`,
    failures: `${own}:failures`,
    waits: `${own}:waits`,
    claims: `${own}:claims`,
    /** Hash by sequence number. */
    deadLetters: (subscription: string) => `${own}:dead:${subscription}`,
    /** Sorted set: sequence numbers of the letters to be sent again. Hash: the subscriptions that have such a set. */
    marks: (subscription: string) => `${own}:marks:${subscription}`,
    resends: `${own}:resends`,
    /** Stream: batches of delivery records. Hash: how many records each ring holds. */
    records: (ring: string) => `${own}:records:${ring}`,
    recordCounts: `${own}:record-counts`,
    /** Hashes: what is known of the set's Resource List, and its editions (when each was begun). */
    resources: `${own}:resources`,
    editions: `${own}:editions`,
    /** Of one edition. Hash: resources by URI. Sorted set: the URIs that are listed. Hash: the written lists, in blocks. */
    rows: (edition: string) => `${own}:resources:${edition}:rows`,
    uris: (edition: string) => `${own}:resources:${edition}:uris`,
    blocks: (edition: string) => `${own}:resources:${edition}:blocks`,
    /** Hashes: where the open Change List begins; the closed ones by number. Strings: their documents, gzipped. */
    lists: `${own}:lists`,
    closedLists: `${own}:closed-lists`,
    closedList: (n: number) => `${own}:closed-list:${n}`,
    /** Of the Change List that the set is watched by. Hash: how far it was taken. Strings: when to look; who looks. */
    watch: `${own}:watch`,
    watchSchedule: `${own}:watch-schedule`,
    watchClaim: `${own}:watch-claim`,
  };
}

/** Names of what belongs to no channel. */
export function hubKeys(prefix: string) {
  return {
    /** Pub/sub channel that tells of appends. */
    appended: `${prefix}:appended`,
    probe: `${prefix}:probe`,
    /** Hash of the requests that wait for their verification, and sorted set of when they may be taken up by another process. */
    intents: `${prefix}:{intents}:requests`,
    intentTimes: `${prefix}:{intents}:times`,
    /** Hash of the topics that are fetched, and sorted set of the names by which they can be pinged. */
    topics: `${prefix}:{topics}:topics`,
    topicNames: `${prefix}:{topics}:names`,
    /** Hash of what is to be fetched, and sorted set of when to look at it. */
    fetches: `${prefix}:{fetches}:rows`,
    fetchTimes: `${prefix}:{fetches}:times`,
    /** Hash: what was last announced of the hub's own documents. */
    announced: `${prefix}:announced`,
  };
}
