import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** What live readers do and are told. */
export function createLiveEvents(log: Logger, metrics: Metrics) {
  return {
    readerJoined(at: { channel: string; transport: "websocket" | "sse"; after: string }) {
      metrics.liveReaders.inc({ channel: at.channel, transport: at.transport });
      log.debug(at, "reader connected");
    },
    readerLeft(at: { channel: string; transport: "websocket" | "sse"; reason: string }) {
      metrics.liveReaders.dec({ channel: at.channel, transport: at.transport });
      log.debug(at, "reader left");
    },
    framesSent(at: { channel: string; transport: "websocket" | "sse"; frames: number }) {
      metrics.liveFrames.inc({ channel: at.channel, transport: at.transport }, at.frames);
    },
    gapTold(at: { channel: string; transport: "websocket" | "sse"; after: string; oldest: string }) {
      metrics.liveGaps.inc({ channel: at.channel });
      log.warn(at, "reader asked for what the log no longer holds");
    },
  };
}
