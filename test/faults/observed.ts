/** What a round saw, as plain values: nothing here knows of processes, sockets or time-outs. Payloads are named by their digest. */

export interface Publication {
  readonly digest: string;
  /** `unknown`: sent, and never answered. */
  readonly outcome: "acknowledged" | "refused" | "unknown";
  /** What the hub answered. */
  readonly position?: string;
  /** When it was acknowledged; milliseconds since 1970. */
  readonly at?: number;
}

export interface LogEntry {
  readonly sequence: number;
  readonly position: string;
  readonly digest: string;
}

/** One POST that the callback answered with 2xx, or meant to. */
export interface Taken {
  readonly id: string;
  readonly digest: string;
}

export interface CallbackSeen {
  readonly name: string;
  readonly taken: readonly Taken[];
}

export type ReaderEvent =
  | { readonly kind: "connected" }
  | { readonly kind: "gap" }
  | { readonly kind: "notification"; readonly digest: string; readonly position: string | undefined };

export interface ReaderSeen {
  readonly name: string;
  /** Whether it asks for what follows the last position that it was told, beginning at the first. */
  readonly resumes: boolean;
  readonly events: readonly ReaderEvent[];
}

/** What the faults of a round may have made the store forget: acknowledgements from `since` to `until`, milliseconds since 1970. */
export interface Loss {
  readonly since: number;
  readonly until: number;
  /** Whether the subscriptions went, too; all were made anew by `until`. */
  readonly subscriptions: boolean;
}

export interface Observed {
  readonly publications: readonly Publication[];
  /** As the hub tells it at the end. */
  readonly log: readonly LogEntry[];
  /** Those that must get everything. */
  readonly callbacks: readonly CallbackSeen[];
  readonly readers: readonly ReaderSeen[];
  /** How many times something was killed, stopped, cut or damaged: so often a callback may get one notification again. */
  readonly faults: number;
  readonly losses: readonly Loss[];
}

export type Rule =
  /** Acknowledged, and not in the log, or not delivered to somebody who must have it. */
  | "lost"
  | "reordered"
  /** Bytes that nobody published, or others than the log holds there. */
  | "altered"
  /** The same notification under two ids, or two under one. */
  | "another-id"
  | "refused-delivered"
  /** A sequence number that is missing. */
  | "hole"
  /** The same document twice in the log. */
  | "appended-twice"
  /** More repeats than faults. */
  | "repeated"
  /** A reader was told of a gap although the store lost nothing, or was not told although it did. */
  | "gap"
  /** Something that the hub did not give back: sockets, timers, keys, rows. */
  | "leaked"
  /** Not ready again in time, another status than 202 or 503, an exit code. */
  | "misbehaved";

export interface Violation {
  readonly rule: Rule;
  readonly who: string;
  readonly detail: string;
}

/** The number behind the epoch. */
export const sequenceOf = (position: string): number => Number(position.split("-").at(-1));
