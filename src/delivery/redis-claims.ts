import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { RedisConnection } from "../log/redis-connection.ts";
import type { RedisScript, ScriptArgument } from "../log/redis-script.ts";
import { checkJsonRow, checkRow } from "../log/stored-row.ts";
import { storedSubscription, storedSubscriptionId } from "../subscriptions/stored-subscription.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import type { Claim, DeliveryLedger, DueTimes } from "./delivery-ledger.ts";
import { idAndFence, ledgerKeys } from "./redis-ledger-keys.ts";
import { backlogScript, claimScript, keepScript, releaseScript } from "./redis-ledger-scripts.ts";
import { storedFailing } from "./stored-progress.ts";

/** Few enough that a script delays the others by less than a millisecond or two. */
const laneSize = 500;

function inLanes<Item>(items: readonly Item[]): (readonly Item[])[] {
  const lanes = Math.ceil(items.length / laneSize);
  return Array.from({ length: lanes }, (_, lane) => items.slice(lane * laneSize, (lane + 1) * laneSize));
}

const count = z.coerce.number().int().nonnegative();
const idsReply = z.array(storedSubscriptionId);
const claimed = z.tuple([z.string(), count, z.string(), count, z.literal([0, 1])]);
const claimReply = z.tuple([z.array(claimed), z.string()]);
const backlogReply = z.tuple([idsReply, z.array(z.tuple([storedSubscriptionId, z.coerce.number()]))]);

interface RedisClaimsOptions {
  readonly prefix: string;
  /** Of a test; otherwise times are those of the server's clock. */
  readonly now: (() => number) | undefined;
  /** How long a claim holds that nobody keeps. Milliseconds. */
  readonly lasts: number;
}

/** Who may deliver to which subscriptions of a channel. */
export function redisClaims(
  connection: RedisConnection,
  { prefix, now: clock, lasts }: RedisClaimsOptions,
): Pick<DeliveryLedger, "claim" | "release" | "keep" | "backlog" | "ids"> & DueTimes {
  const run = (script: RedisScript, keys: readonly string[], args: readonly ScriptArgument[]) =>
    connection.run((redis) => script.run(redis, keys, args));
  const keysOf = (channel: ChannelId) => ledgerKeys(prefix, channel);
  const idsOf = async (channel: ChannelId): Promise<SubscriptionId[]> =>
    checkRow(idsReply, await connection.run((redis) => redis.hkeys(keysOf(channel).subscriptions)), "ids");

  /** The clocks of the processes may be wrong, and jump: the server's is one for all. */
  const time = (now: number | undefined): ScriptArgument => (clock === undefined ? "" : (now ?? clock()));

  const claimLane = async (channel: ChannelId, ids: readonly SubscriptionId[], now: number) => {
    const { standing, subscriptions, failures } = keysOf(channel);
    const keys = [...standing, subscriptions, failures];
    const reply = await run(claimScript, keys, [time(now), lasts, ...ids]);
    const [claims, incarnation] = checkRow(claimReply, reply, `claims, ${channel}`);
    return claims.map(([row, cursor, failure, fence, marks]): Claim => {
      const subscription = checkJsonRow(storedSubscription, row, `subscription, ${channel}`);
      const failing =
        failure === "" ? undefined : checkJsonRow(storedFailing, failure, `failure ${subscription.id}`);
      const progress = { cursor, failing, paused: undefined };
      return { subscription, progress, resends: marks === 1, fence, incarnation };
    });
  };

  const backlogOf = async (channel: ChannelId, ids: readonly SubscriptionId[], now: number) => {
    const reply = await run(backlogScript, keysOf(channel).standing, [time(now), ...ids]);
    const [due, waiting] = checkRow(backlogReply, reply, `backlog, ${channel}`);
    return { due, waiting };
  };

  return {
    async claim(channel, ids, now) {
      const claims: Claim[] = [];
      for (const lane of inLanes(ids === "all" ? await idsOf(channel) : ids)) {
        claims.push(...(await claimLane(channel, lane, now)));
      }
      return claims;
    },
    async release(channel, claims) {
      const due: SubscriptionId[] = [];
      for (const lane of inLanes(claims)) {
        const reply = await run(releaseScript, keysOf(channel).standing, [
          time(undefined),
          ...lane.flatMap(idAndFence),
        ]);
        due.push(...checkRow(idsReply, reply, `released claims, ${channel}`));
      }
      return due;
    },
    async keep(channel, claims) {
      const lost: Claim[] = [];
      for (const lane of inLanes(claims)) {
        const args = [time(undefined), lasts, ...lane.flatMap(idAndFence)];
        const reply = await run(keepScript, [keysOf(channel).claims], args);
        const held = checkRow(z.array(z.literal([0, 1])), reply, `kept claims, ${channel}`);
        lost.push(...lane.filter((_claim, index) => held[index] !== 1));
      }
      return lost;
    },
    async backlog(channel, now) {
      const due: SubscriptionId[] = [];
      const waiting: { readonly id: SubscriptionId; readonly at: number }[] = [];
      for (const lane of inLanes(await idsOf(channel))) {
        const found = await backlogOf(channel, lane, now);
        due.push(...found.due);
        // The server says how long, since its clock is not the caller's.
        waiting.push(...found.waiting.map(([id, remaining]) => ({ id, at: now + remaining })));
      }
      return { due, waiting };
    },
    async dueIn(channel, id, now) {
      const { due, waiting } = await backlogOf(channel, [id], now);
      return due.length > 0 ? 0 : waiting[0]?.[1];
    },
    ids: idsOf,
  };
}
