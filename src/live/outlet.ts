import type { Writable } from "node:stream";
import type { Closing } from "./close-codes.ts";

/** Where a reader's bytes go: a WebSocket or an event stream. Writing never waits; whoever writes minds `waiting` and `drained`. */
export interface Outlet {
  readonly isOpen: () => boolean;
  readonly write: (bytes: Buffer) => void;
  /** Bytes that were written and that the system has not taken yet. */
  readonly waiting: () => number;
  /** Bytes that the system has taken. */
  readonly taken: () => number;
  /** Resolves when the system has taken everything, or when the outlet is closed. */
  readonly drained: () => Promise<void>;
  /** Asks for a sign of life; a reader that left the last two unanswered is ended. */
  readonly ping: () => void;
  /** Says why, after everything that was written before. */
  readonly end: (closing: Closing) => void;
  /** Ends it without a word. */
  readonly destroy: () => void;
  /** Calls once, with a reason for the log. */
  readonly onClose: (listener: (reason: string) => void) => void;
}

/** How often a reader may be asked for a sign of life without giving one. */
export const maxUnanswered = 2;

/** A stream that is written to at the pace at which it is taken. */
export function pacedStream(stream: Writable) {
  let written = 0;
  let takenBefore = 0;
  let waitingBefore = 0;

  return {
    write: (bytes: Buffer): void => {
      written += bytes.length;
      stream.write(bytes);
    },
    waiting: (): number => stream.writableLength,
    taken: (): number => written - stream.writableLength,
    drained: async (): Promise<void> => {
      if (!stream.writableNeedDrain || stream.destroyed) return;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stream.off("drain", done).off("close", done);
          resolve();
        };
        stream.on("drain", done).on("close", done);
      });
    },
    /** Whether any of what was waiting when it was last asked has been taken since. */
    hasMoved(): boolean {
      const taken = written - stream.writableLength;
      const moved = waitingBefore > 0 && taken > takenBefore;
      takenBefore = taken;
      waitingBefore = stream.writableLength;
      return moved;
    },
  };
}
