import type { Channel, SetId } from "../channels/channel.ts";
import type { Channels } from "../channels/registry.ts";
import { ListNotTaken, type FetchedChangeList, type IntakeOutcome } from "./change-list-intake.ts";
import type { LookAtList } from "./look-at-list.ts";

interface Parts {
  readonly channels: Pick<Channels, "sets" | "find">;
  readonly list: LookAtList;
}

/** Takes lists into the channels of their sets: of each set one after the other. */
export function changeListIntake({ channels, list: { look, noteUnchanged } }: Parts) {
  const running = new Map<SetId, Promise<unknown>>();

  function inTurn<Outcome>(set: SetId, action: () => Promise<Outcome>): Promise<Outcome> {
    const turn = (running.get(set) ?? Promise.resolve()).then(action, action);
    running.set(set, turn);
    return turn;
  }
  function channelOf(set: SetId): Channel {
    const channel = channels.find(set, "change-notification");
    if (channel === undefined) throw new Error(`no set ${set}`);
    return channel;
  }

  return {
    channelOf,
    async take(list: FetchedChangeList): Promise<IntakeOutcome> {
      const { set } = list;
      const isWatched = channels.sets.some(({ id, watch }) => id === set && watch === list.url);
      return await inTurn(set, async () => {
        try {
          return await look(channelOf(set), list, isWatched);
        } catch (error) {
          if (error instanceof ListNotTaken) return { kind: "failed", reason: error.message };
          throw error;
        }
      });
    },
    /** The set's own list was found unchanged, at `fetchedAt`, in milliseconds. */
    async noteUnchanged(set: SetId, fetchedAt: number): Promise<void> {
      await inTurn(set, () => noteUnchanged(channelOf(set), fetchedAt));
    },
    async settled(): Promise<void> {
      await Promise.allSettled(running.values());
    },
  };
}

export type ChangeListIntake = ReturnType<typeof changeListIntake>;
