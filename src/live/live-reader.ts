import { StorageUnavailable } from "../log/notification-log.ts";
import type { Events } from "../observability/events.ts";
import type { Position } from "../protocol/position.ts";
import { type After, describeAfter } from "./after.ts";
import { beginAt, catchUp, type CatchUpParts, lookAnew, type Member } from "./catch-up.ts";
import { type Closing, closings } from "./close-codes.ts";

export interface LiveReader {
  readonly ping: () => void;
  /** Tells it where to resume, after everything that it was sent. */
  readonly end: () => void;
  /** Tells it that its token no longer opens the channel. */
  readonly revoke: () => void;
  readonly destroy: () => void;
  readonly waiting: () => number;
  readonly taken: () => number;
  /** Resolves when it is gone, for whatever reason. */
  readonly left: Promise<void>;
}

interface Parts extends CatchUpParts {
  readonly after: After;
  readonly events: Pick<Events, "framesSent" | "gapTold" | "readerJoined" | "readerLeft" | "unexpected">;
  /** A reader that has more than this waiting is not written to by the feed. */
  readonly bufferBytes: number;
}

/**
 * One reader. It is either catching up, reading the log page by page as fast as it takes them, or joined to the feed, which
 * writes to it. It goes over to the feed in the very step in which it has everything; when too much waits for it, the feed
 * puts it out, and it catches up again.
 */
export function startLiveReader(parts: Parts): LiveReader {
  const { channel, after, format, outlet, feed, events, bufferBytes } = parts;
  const at = { channel: channel.id, transport: format.transport };
  let member: Member | undefined;

  events.readerJoined({ ...at, after: describeAfter(after) });
  const left = new Promise<void>((resolve) => {
    outlet.onClose((reason) => {
      if (member !== undefined) feed.leave(member);
      events.readerLeft({ ...at, reason });
      resolve();
    });
  });
  begin().catch(fail);

  async function begin(): Promise<void> {
    const start = await beginAt(parts, after);
    if (start === undefined) return;
    const self: Member = {
      format,
      standing: start,
      isBehind: () => outlet.waiting() > bufferBytes,
      take(frames, upTo) {
        // One that is closing is told nothing more; the event of its close takes it out of the feed.
        if (outlet.isOpen()) outlet.write(frames);
        self.standing = upTo;
      },
      putOut() {
        comeBack(self).catch(fail);
      },
    };
    member = self;
    await catchUp(parts, self, start.isAtEnd);
  }

  async function comeBack(self: Member): Promise<void> {
    const start = await lookAnew(parts, self);
    if (start !== undefined) await catchUp(parts, self, start.isAtEnd);
  }

  function fail(error: unknown): void {
    if (!outlet.isOpen()) return;
    if (error instanceof StorageUnavailable) {
      end(closings.storageAway);
    } else {
      events.unexpected({ where: `live reader of ${channel.id}`, error });
      end(closings.failed);
    }
  }

  function end(closing: (position: Position | undefined) => Closing): void {
    if (outlet.isOpen()) outlet.end(closing(member?.standing.mark.position));
  }

  const { ping, destroy, waiting, taken } = outlet;
  return {
    ping,
    end: () => end(closings.shutdown),
    revoke: () => end(closings.accessEnded),
    destroy,
    waiting,
    taken,
    left,
  };
}
