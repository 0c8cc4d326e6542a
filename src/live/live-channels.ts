import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Channel, ChannelId } from "../channels/channel.ts";
import type { NotificationLog } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import { type After, afterOf, BadAfter, queryOf } from "./after.ts";
import { type ChannelFeed, createChannelFeed } from "./channel-feed.ts";
import { closeReaders } from "./close-readers.ts";
import { closings } from "./close-codes.ts";
import { eventStreamOutlet } from "./event-stream-outlet.ts";
import { jsonEvents, type LiveFormat, plainEvents } from "./live-format.ts";
import { type LiveReader, startLiveReader } from "./live-reader.ts";
import { watchMemory } from "./memory-valve.ts";
import type { Outlet } from "./outlet.ts";
import { afterPass } from "./pass-pace.ts";
import { refuseUpgrade } from "./refuse-upgrade.ts";
import { createSharedPages } from "./shared-pages.ts";
import { createUpgrade } from "./websocket-outlet.ts";

interface LiveLimits {
  readonly readersPerChannel: number;
  /** A reader that has more than this waiting reads the log at its own pace instead of live. */
  readonly bufferBytes: number;
  /** Bytes that buffers may take in this process before readers that take nothing are cut off. */
  readonly liveBytes: number;
  /** Milliseconds between pings; a reader that leaves two unanswered is ended. */
  readonly pingInterval: number;
}

interface Parts {
  readonly log: NotificationLog;
  readonly events: Events;
  readonly limits: LiveLimits;
  /** Whether WebSocket messages are compressed for readers that offer permessage-deflate. */
  readonly deflate: boolean;
  readonly now: () => number;
  /** The Change List that still holds what the log let go of, where the channel has one. */
  readonly changeListOf?: (channel: Channel) => string | undefined;
}

interface Beginning {
  readonly channel: Channel;
  readonly after: After;
  readonly outlet: Outlet;
  readonly format: LiveFormat;
  readonly revoked: AbortSignal | undefined;
}

/** Milliseconds after which a wake-up that got lost is made up for, and a store that came back as another is noticed. */
const checkInterval = 5_000;

export interface LiveChannels {
  /**
   * Answers a request to upgrade, also one that it refuses: 400 where `?after=` is none, close code 1013 where the channel is full.
   * `revoked` ends the reader when it aborts, because its token no longer opens the channel.
   */
  acceptWebSocket(
    channel: Channel,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    revoked?: AbortSignal,
  ): void;
  /** Throws `BadAfter` or `TooManyReaders` before anything is written. Resolves when the stream has begun, or its reader is gone. */
  acceptEventStream(
    channel: Channel,
    request: IncomingMessage,
    response: ServerResponse,
    revoked?: AbortSignal,
  ): Promise<void>;
  /**
   * Resolves in the turn after readers were written to, where that was about to happen. It never waits for the store: where pages come
   * over a network (Redis), it resolves once they are asked for.
   */
  comeFirst(channel: ChannelId): Promise<void>;
  /** Tells every reader where to resume, not all at the same moment. Who is still there when `deadline` aborts is cut off. */
  close(deadline: AbortSignal): Promise<void>;
}

/** The channel has as many readers as it takes, or takes no more because the hub is closing. Coming back later can help. */
export class TooManyReaders extends Error {
  override name = "TooManyReaders";
  readonly mayRetry = true;
}

export function createLiveChannels({ log, events, limits, deflate, now, changeListOf }: Parts): LiveChannels {
  const feeds = new Map<ChannelId, ChannelFeed>();
  const readers = new Map<ChannelId, Set<LiveReader>>();
  const readPage = createSharedPages(log);
  const upgrade = createUpgrade({ deflate });
  const shared = { log, readPage, events, now, bufferBytes: limits.bufferBytes };
  let closing = false;

  const stopListening = log.onAppend(({ channel, newest }) => feeds.get(channel)?.wake(newest));
  const heartbeat = setInterval(() => {
    for (const reader of everybody()) reader.ping();
  }, limits.pingInterval);
  heartbeat.unref();
  const valve = watchMemory({ readers: everybody, limit: limits.liveBytes, events });

  function start(beginning: Beginning): void {
    const { channel, revoked } = beginning;
    const present = readersOf(channel.id);
    const reader = startLiveReader({
      ...shared,
      ...beginning,
      feed: feedOf(channel.id),
      changeList: changeListOf?.(channel),
    });
    present.add(reader);
    void reader.left.then(() => present.delete(reader));
    if (revoked?.aborted === true) reader.revoke();
    else revoked?.addEventListener("abort", reader.revoke, { once: true });
  }

  const isFull = (channel: Channel): boolean => readersOf(channel.id).size >= limits.readersPerChannel;

  function everybody(): LiveReader[] {
    return [...readers.values()].flatMap((present) => [...present]);
  }

  function readersOf(channel: ChannelId): Set<LiveReader> {
    const present = readers.get(channel) ?? new Set();
    readers.set(channel, present);
    return present;
  }

  function feedOf(channel: ChannelId): ChannelFeed {
    const feed = feeds.get(channel) ?? createChannelFeed({ channel, log, events, checkInterval });
    feeds.set(channel, feed);
    return feed;
  }

  return {
    comeFirst: (channel) => afterPass(() => feeds.get(channel)?.gathering()),

    acceptWebSocket(channel, request, socket, head, revoked) {
      try {
        const after = afterOf(request);
        if (closing) throw new TooManyReaders(closingText);
        upgrade(request, socket, head, (outlet, format) => {
          if (isFull(channel)) outlet.end(closings.tooManyReaders(limits.readersPerChannel));
          else start({ channel, after, outlet, format, revoked });
        });
      } catch (error) {
        if (error instanceof BadAfter) refuseUpgrade(socket, 400, error.message);
        else if (error instanceof TooManyReaders) refuseUpgrade(socket, 503, error.message);
        else throw error;
      }
    },

    async acceptEventStream(channel, request, response, revoked) {
      const after = afterOf(request);
      if (closing) throw new TooManyReaders(closingText);
      // Who went away while its token was looked at is told of no more: it would count as a reader for ever.
      if (response.destroyed) return;
      if (isFull(channel)) {
        throw new TooManyReaders(
          `The channel ${channel.id} has ${limits.readersPerChannel} readers, its limit. Try again later.`,
        );
      }
      const format = queryOf(request).get("format") === "json" ? jsonEvents : plainEvents;
      start({ channel, after, outlet: eventStreamOutlet(response), format, revoked });
    },

    async close(deadline) {
      closing = true;
      clearInterval(heartbeat);
      valve.close();
      await closeReaders(everybody(), deadline);
      stopListening();
    },
  };
}

const closingText = "The hub is shutting down. Try again in a moment.";
