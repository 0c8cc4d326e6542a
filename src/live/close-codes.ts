import type { Position } from "../protocol/position.ts";

/** Every code with which the hub closes a WebSocket, and what the client should do (docs/protocol.md quotes this table). */
export const closeCodes = {
  /** The hub shuts down: come back with `?after=` and the position in the reason. */
  goingAway: 1001,
  /** The client sends and sends, on a channel that only the hub speaks on (rule H41, notification 0.8 §6). */
  policyViolation: 1008,
  /** A message from the client was larger than 4 KB. */
  messageTooBig: 1009,
  /** The hub failed; its log says how. Coming back can help. */
  internalError: 1011,
  /** The channel has as many readers as it takes, or its storage has been away for long. Come back later. */
  tryAgainLater: 1013,
  /**
   * The log no longer holds what `?after=` asked for. Only clients without the JSON subprotocol get this: they can be sent
   * nothing but notifications. Read the Change List, then come back after the position in the reason, or with `earliest`.
   */
  gap: 4010,
  /** The token of a reader of a private channel has ended, or no longer opens it. Come back with another one. */
  accessEnded: 4011,
} as const;

/** How the hub ends a reader. */
export interface Closing {
  readonly code: (typeof closeCodes)[keyof typeof closeCodes];
  /** At most 123 bytes (RFC 6455 §5.5.1). */
  readonly reason: string;
  /** Where the reader stands, where that is known. */
  readonly resumeAfter: Position | undefined;
}

const closing = (code: Closing["code"], reason: string, resumeAfter?: Position): Closing => ({
  code,
  reason,
  resumeAfter,
});

/** RFC 6455 §5.5.1: a control frame has room for 125 bytes, two of which are the code. */
const longestReason = 123;

function gapReason(oldest: Position, changeList: string | undefined): string {
  const resume = `resume with ?after=${oldest}`;
  const full = `read ${changeList}, then ${resume}`;
  const fits = changeList !== undefined && Buffer.byteLength(full) <= longestReason;
  return fits ? full : `the log begins after ${oldest}; ${resume}`;
}

export const closings = {
  shutdown: (position: Position | undefined) =>
    closing(
      closeCodes.goingAway,
      position === undefined ? "the hub shuts down; reconnect" : `resume with ?after=${position}`,
      position,
    ),
  talkative: () =>
    closing(closeCodes.policyViolation, "only the hub speaks on this channel (notification 0.8 section 6)"),
  failed: (position: Position | undefined) =>
    closing(
      closeCodes.internalError,
      position === undefined ? "the hub failed; reconnect" : `the hub failed; resume with ?after=${position}`,
      position,
    ),
  tooManyReaders: (limit: number) =>
    closing(closeCodes.tryAgainLater, `the channel has ${limit} readers, its limit; try again later`),
  storageAway: (position: Position | undefined) =>
    closing(
      closeCodes.tryAgainLater,
      position === undefined
        ? "storage is away; reconnect later"
        : `storage is away; resume with ?after=${position}`,
      position,
    ),
  accessEnded: (position: Position | undefined) =>
    closing(
      closeCodes.accessEnded,
      position === undefined
        ? "the token no longer opens this channel"
        : `the token no longer opens this channel; resume with ?after=${position}`,
      position,
    ),
  gap: (oldest: Position, changeList: string | undefined) =>
    closing(closeCodes.gap, gapReason(oldest, changeList), oldest),
} as const;
