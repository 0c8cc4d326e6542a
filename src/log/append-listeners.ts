import type { ChannelId } from "../channels/channel.ts";
import type { Appended, AppendOutcome } from "./notification-log.ts";

export type AppendListener = (appended: Appended) => void;

/** The appends of this process to one channel that wait for the store, and who wants to know when none does any more. */
interface Burst {
  underWay: number;
  readonly whenOver: Set<() => void>;
}

/** Whom to tell of appends. What a listener throws never reaches the publisher whose notification is safe already. */
export function createAppendListeners() {
  const listeners = new Set<AppendListener>();
  const bursts = new Map<ChannelId, Burst>();

  function begin(channel: ChannelId): Burst {
    const burst = bursts.get(channel) ?? { underWay: 0, whenOver: new Set() };
    bursts.set(channel, burst);
    burst.underWay += 1;
    return burst;
  }

  function end(channel: ChannelId, burst: Burst): void {
    burst.underWay -= 1;
    if (burst.underWay > 0) return;
    bursts.delete(channel);
    for (const act of burst.whenOver) queueMicrotask(act);
  }

  const tell = (appended: Appended): void => {
    for (const listener of listeners) queueMicrotask(() => listener(appended));
  };

  return {
    tell,
    /** Runs an append of this process, and tells of it. */
    async telling(channel: ChannelId, append: () => Promise<AppendOutcome>): Promise<AppendOutcome> {
      const burst = begin(channel);
      let outcome: AppendOutcome | undefined;
      try {
        outcome = await append();
        return outcome;
      } finally {
        if (outcome?.kind === "appended") tell({ channel, newest: outcome.entry.sequence, local: true });
        end(channel, burst);
      }
    },
    whenQuiet(channel: ChannelId, act: () => void): (() => void) | undefined {
      const burst = bursts.get(channel);
      burst?.whenOver.add(act);
      return burst === undefined ? undefined : () => void burst.whenOver.delete(act);
    },
    add(listener: AppendListener): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    clear(): void {
      listeners.clear();
    },
  };
}
