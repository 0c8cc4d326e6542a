import type { Notification } from "../log/notification-log.ts";
import { deflatedTextFrame, eventFrame, textFrame } from "../protocol/live-frames.ts";
import { deflatedMessage } from "../protocol/permessage-deflate.ts";
import { type LiveMessage, positionAfter, writeLiveMessage } from "../protocol/live-messages.ts";

/** What is said to a reader besides notifications. */
export type LiveNotice = Exclude<LiveMessage, { type: "notification" }>;

/** How a reader wants its frames. Readers of one format get the same bytes, so each is framed once for all of them. */
export interface LiveFormat {
  readonly transport: "websocket" | "sse";
  readonly notification: (notification: Notification) => Buffer;
  /** `undefined` where the format has no words but notifications. */
  readonly notice: ((notice: LiveNotice) => Buffer) | undefined;
}

const jsonOf = ({ position, receivedAt, payload }: Notification): Buffer =>
  writeLiveMessage({
    type: "notification",
    position,
    receivedAt: new Date(receivedAt).toISOString(),
    payload: payload.toString("utf8"),
  });

/** Notification 0.8 §6: each text frame is one notification, byte for byte as the Source sent it. */
export const plainSocket: LiveFormat = {
  transport: "websocket",
  notification: ({ payload }) => textFrame(payload),
  notice: undefined,
};

/** Bytes of a payload from which on compressing it is worth its while: what is smaller fits one packet anyway. */
const worthDeflating = 1024;

/** The same for readers that have agreed on permessage-deflate: compressed once for all of them. */
export const deflatedSocket: LiveFormat = {
  ...plainSocket,
  notification: ({ payload }) =>
    payload.length < worthDeflating ? textFrame(payload) : deflatedTextFrame(deflatedMessage(payload)),
};

/** The subprotocol `resourcesync-hub.v1+json`. */
export const jsonSocket: LiveFormat = {
  transport: "websocket",
  notification: (notification) => textFrame(jsonOf(notification)),
  notice: (notice) => textFrame(writeLiveMessage(notice)),
};

/** The id of every event is a position, so that an EventSource that reconnects resumes there by itself. */
const noticeEvent = (notice: LiveNotice): Buffer =>
  eventFrame({ id: positionAfter(notice), event: notice.type, data: writeLiveMessage(notice) });

/** Line ends inside a payload arrive as LF. */
export const plainEvents: LiveFormat = {
  transport: "sse",
  notification: ({ position, payload }) => eventFrame({ id: position, event: "notification", data: payload }),
  notice: noticeEvent,
};

/** `?format=json`: the data is the JSON frame, and the payload in it exact. */
export const jsonEvents: LiveFormat = {
  transport: "sse",
  notification: (notification) =>
    eventFrame({ id: notification.position, event: "notification", data: jsonOf(notification) }),
  notice: noticeEvent,
};
