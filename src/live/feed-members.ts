import type { Notification } from "../log/notification-log.ts";
import type { Mark, Standing } from "./find-start.ts";
import type { LiveFormat } from "./live-format.ts";

/** A reader that has caught up, as the feed sees it. */
export interface FeedMember {
  readonly format: LiveFormat;
  /** Everything up to its mark has been written to it. */
  readonly standing: Standing;
  /** Whether so much waits for it that it should read the log at its own pace instead. */
  isBehind(): boolean;
  /** `upTo` becomes its standing. */
  take(frames: Buffer, upTo: Standing): void;
  /** It is no longer joined, and finds its own way back by reading the log from its mark. */
  putOut(): void;
}

/** How many frames went to the readers of one transport. */
export type Sent = (transport: LiveFormat["transport"], frames: number) => void;

/** Those who are joined to a feed, by the format that they read. */
export function createFeedMembers() {
  const joined = new Map<LiveFormat, Set<FeedMember>>();

  function membersOf(format: LiveFormat): Set<FeedMember> {
    const members = joined.get(format) ?? new Set();
    joined.set(format, members);
    return members;
  }

  const all = (): FeedMember[] => [...joined.values()].flatMap((members) => [...members]);

  return {
    all,
    aheadOf: (mark: Mark): FeedMember[] =>
      all().filter(({ standing }) => standing.mark.sequence > mark.sequence),
    add: (member: FeedMember): void => void membersOf(member.format).add(member),
    /** `false` where it was none. */
    remove: (member: FeedMember): boolean => membersOf(member.format).delete(member),
    isEmpty: (): boolean => [...joined.values()].every(({ size }) => size === 0),

    /**
     * Writes `page`, which follows `from`, to everybody: framed once for each format, in one buffer that all share. A member
     * that is further on gets the rest of it; those that are behind are not written to, and given back.
     */
    write(page: readonly Notification[], from: Mark, upTo: Standing, onSent: Sent): FeedMember[] {
      const behind: FeedMember[] = [];
      for (const [format, members] of joined) {
        if (members.size === 0) continue;
        const frames = page.map(format.notification);
        const whole = Buffer.concat(frames);
        let sent = 0;
        for (const member of members) {
          const ahead = member.standing.mark.sequence - from.sequence;
          if (ahead >= frames.length) continue;
          if (member.isBehind()) {
            behind.push(member);
            continue;
          }
          member.take(ahead === 0 ? whole : Buffer.concat(frames.slice(ahead)), upTo);
          sent += frames.length - ahead;
        }
        onSent(format.transport, sent);
      }
      return behind;
    },
  };
}
