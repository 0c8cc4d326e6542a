import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import { channelRows, unusedChannel } from "../log/embedded-channel-rows.ts";
import { type Changing, type EmbeddedEnvironment, keysBelow } from "../log/embedded-environment.ts";
import { embeddedProgressTables } from "../subscriptions/embedded-subscription-store.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { DeadLetter, MarkedLetter } from "./dead-letters.ts";
import { storedDeadLetter } from "./stored-progress.ts";

/** Dead letters in LMDB by channel, subscription and sequence number; the marks of those to be sent again beside them. */
export function embeddedLetters(environment: EmbeddedEnvironment) {
  const tables = embeddedProgressTables(environment);
  const letters = environment.table(tables.deadLetters, storedDeadLetter);
  const marks = environment.table(tables.marks, z.literal(1));
  const channels = channelRows(environment);
  /** Channels without marks, as far as the one process that owns the store has seen. */
  const unmarked = new Set<ChannelId>();
  const hasAny = (...prefix: string[]): boolean => {
    for (const _ of marks.range({ ...keysBelow(...prefix), limit: 1 })) return true;
    return false;
  };
  const remove = (changing: Changing, key: readonly (string | number)[]): void => {
    letters.within(changing).remove(key);
    marks.within(changing).remove(key);
  };

  return {
    /** Usually none of the channel are: that is remembered, because every claim and release asks. */
    whoseAreMarked(channel: ChannelId): (id: SubscriptionId) => boolean {
      if (unmarked.has(channel)) return () => false;
      if (hasAny(channel)) return (id) => hasAny(channel, id);
      unmarked.add(channel);
      return () => false;
    },
    /** To be called when new marks are on disk: before that a look would not find them. */
    noteMarks(channel: ChannelId): void {
      unmarked.delete(channel);
    },
    /** Answers how many older letters went. */
    park(changing: Changing, letter: DeadLetter, max: number): number {
      const { channel, subscription, sequence } = letter;
      letters.within(changing).put([channel, subscription, sequence], letter);
      const range = keysBelow(channel, subscription);
      const over = letters.count(range) + 1 - max;
      if (over <= 0) return 0;
      const oldest = [...letters.range({ ...range, limit: over })];
      for (const { key } of oldest) remove(changing, key);
      return oldest.length;
    },
    page(channel: ChannelId, id: SubscriptionId, after: number, limit: number): DeadLetter[] {
      const range = { from: [channel, id, after + 1], to: keysBelow(channel, id).to, limit };
      return [...letters.range(range)].map(({ row }) => row);
    },
    count: (channel: ChannelId, id: SubscriptionId): number => letters.count(keysBelow(channel, id)),
    drop(changing: Changing, channel: ChannelId, id: SubscriptionId, sequences: readonly number[]): number {
      const there = sequences.filter(
        (sequence) => letters.within(changing).get([channel, id, sequence]) !== undefined,
      );
      for (const sequence of there) remove(changing, [channel, id, sequence]);
      return there.length;
    },
    mark(changing: Changing, channel: ChannelId, id: SubscriptionId, sequences: readonly number[]) {
      const { oldest } = channels.within(changing).get([channel]) ?? unusedChannel;
      const there = sequences.filter(
        (sequence) => letters.within(changing).get([channel, id, sequence]) !== undefined,
      );
      for (const sequence of there) marks.within(changing).put([channel, id, sequence], 1);
      return { marked: there.length, gone: there.filter((sequence) => sequence < oldest).length };
    },
    nextMarked(channel: ChannelId, id: SubscriptionId): MarkedLetter | undefined {
      for (const { key } of marks.range({ ...keysBelow(channel, id), limit: 1 })) {
        return { sequence: Number(key[2]), letter: letters.get(key) };
      }
      return undefined;
    },
    /** `kept` takes the place of the letter, unless that was dropped meanwhile; without it the letter goes. */
    settle(
      changing: Changing,
      channel: ChannelId,
      id: SubscriptionId,
      sequence: number,
      kept: DeadLetter | undefined,
    ): void {
      const key = [channel, id, sequence];
      const isThere = letters.within(changing).get(key) !== undefined;
      remove(changing, key);
      if (isThere && kept !== undefined) letters.within(changing).put(key, kept);
    },
    /** Answers how many marks there were. */
    unmarkAll(changing: Changing, channel: ChannelId, id: SubscriptionId): number {
      const marked = [...marks.range(keysBelow(channel, id))];
      for (const { key } of marked) marks.within(changing).remove(key);
      return marked.length;
    },
  };
}

export type EmbeddedLetters = ReturnType<typeof embeddedLetters>;
