import type { ChannelId } from "../channels/channel.ts";
import type { Appended, AppendOutcome } from "./notification-log.ts";

export type AppendListener = (appended: Appended) => void;

/** Whom to tell of appends. What a listener throws never reaches the publisher whose notification is safe already. */
export function createAppendListeners() {
  const listeners = new Set<AppendListener>();
  /** How many appends of this process wait for the store, by channel. */
  const underWay = new Map<ChannelId, number>();

  function end(channel: ChannelId): boolean {
    const left = (underWay.get(channel) ?? 1) - 1;
    if (left === 0) underWay.delete(channel);
    else underWay.set(channel, left);
    return left > 0;
  }

  const tell = (appended: Appended): void => {
    for (const listener of listeners) queueMicrotask(() => listener(appended));
  };

  return {
    tell,
    /** Runs an append of this process, and tells of it. */
    async telling(channel: ChannelId, append: () => Promise<AppendOutcome>): Promise<AppendOutcome> {
      underWay.set(channel, (underWay.get(channel) ?? 0) + 1);
      let outcome: AppendOutcome | undefined;
      try {
        outcome = await append();
        return outcome;
      } finally {
        const isMoreUnderWay = end(channel);
        if (outcome?.kind === "appended")
          tell({ channel, newest: outcome.entry.sequence, local: true, isMoreUnderWay });
      }
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
