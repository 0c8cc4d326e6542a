import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { RedisConnection } from "../log/redis-connection.ts";
import type { RedisScript, ScriptArgument } from "../log/redis-script.ts";
import { checkJsonRow, checkRow } from "../log/stored-row.ts";
import {
  type Claim,
  claimMilliseconds,
  type DeliveryLedger,
  type DueTimes,
  type Failing,
} from "./delivery-ledger.ts";
import { redisClaims } from "./redis-claims.ts";
import { idAndFence, ledgerKeys } from "./redis-ledger-keys.ts";
import { advanceScript, failScript, parkScript } from "./redis-ledger-scripts.ts";
import { forgetMarksScript, nextMarkedScript, settleResendScript } from "./redis-letter-scripts.ts";
import { pauseOf, pauseToWaitFor } from "./redis-pause.ts";
import { storedDeadLetter, storedFailing } from "./stored-progress.ts";

const count = z.coerce.number().int().nonnegative();
const flagsReply = z.array(z.literal([0, 1]));
const progressReply = z.tuple([count.nullable(), z.string().nullable(), z.string().nullable()]);
const markedReply = z.union([z.tuple([]), z.tuple([count, z.string()])]);

/**
 * Cursors and claims in Redis hashes. Claims lapse, and waits end, by the server's clock, unless a test gives another: those of the
 * processes may differ, and jump.
 */
export function createRedisDeliveryLedger(
  connection: RedisConnection,
  {
    prefix,
    now: clock,
    claim: lasts = claimMilliseconds,
  }: { readonly prefix: string; readonly now?: () => number; readonly claim?: number | undefined },
): DeliveryLedger & DueTimes {
  const now = clock ?? Date.now;
  const run = (script: RedisScript, keys: readonly string[], args: readonly ScriptArgument[]) =>
    connection.run((redis) => script.run(redis, keys, args));
  const keysOf = (channel: ChannelId) => ledgerKeys(prefix, channel);
  const fail = async (claim: Claim, failing: Failing, wait: readonly ScriptArgument[]): Promise<boolean> => {
    const { moving } = keysOf(claim.subscription.channel);
    return (await run(failScript, moving, [...idAndFence(claim), JSON.stringify(failing), ...wait])) === 1;
  };
  const letterKeysOf = ({ subscription: { channel, id } }: Claim): string[] => {
    const { claims, letters } = keysOf(channel);
    return [...letters(id), claims];
  };

  return {
    ...redisClaims(connection, { prefix, now: clock, lasts }),
    async advance(channel, moves) {
      const args = moves.flatMap(({ claim, from, to }) => [...idAndFence(claim), from, to]);
      const reply = await run(advanceScript, keysOf(channel).moving, args);
      return checkRow(flagsReply, reply, `moves, ${channel}`).map((flag) => flag === 1);
    },
    defer: (claim, failing) => {
      const { nextAttemptAt } = failing;
      return fail(
        claim,
        failing,
        clock === undefined ? ["", Math.max(nextAttemptAt - now(), 0)] : [nextAttemptAt],
      );
    },
    pause: (claim, failing) =>
      fail(claim, failing, [pauseToWaitFor({ at: now(), because: "exhausted", note: undefined })]),
    async park({ claim, from, to }, letter, max) {
      const { moving, letters } = keysOf(letter.channel);
      const args = [...idAndFence(claim), from, to, JSON.stringify(letter), max];
      const reply = await run(parkScript, [...moving, ...letters(letter.subscription)], args);
      const dropped = checkRow(z.number().int(), reply, `parked, ${letter.channel}`);
      return dropped === -1 ? { kind: "claim-lost" } : { kind: "parked", dropped };
    },
    async progress(channel, id) {
      const { cursors, failures, waits } = keysOf(channel);
      const replies = await connection.transact((redis) =>
        redis.hget(cursors, id).hget(failures, id).hget(waits, id),
      );
      const [cursor, failure, wait] = checkRow(progressReply, replies, `progress ${id}`);
      if (cursor === null) return undefined;
      const failing = failure === null ? undefined : checkJsonRow(storedFailing, failure, `failure ${id}`);
      return { cursor, failing, paused: pauseOf(wait, failing, `pause ${id}`) };
    },
    async nextResend(channel, id) {
      const reply = await run(nextMarkedScript, keysOf(channel).letters(id), [id]);
      const [sequence, row] = checkRow(markedReply, reply, `marked letter of ${id}`);
      if (sequence === undefined || row === undefined) return undefined;
      const letter = row === "" ? undefined : checkJsonRow(storedDeadLetter, row, `dead letter of ${id}`);
      return { sequence, letter };
    },
    async settleResend(claim, sequence, kept) {
      const args = [...idAndFence(claim), sequence, kept === undefined ? "" : JSON.stringify(kept)];
      return (await run(settleResendScript, letterKeysOf(claim), args)) === 1;
    },
    async forgetResends(claim) {
      const reply = await run(forgetMarksScript, letterKeysOf(claim), idAndFence(claim));
      return checkRow(count, reply, "marks that were taken away");
    },
  };
}
