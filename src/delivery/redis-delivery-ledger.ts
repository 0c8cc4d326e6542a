import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { RedisConnection } from "../log/redis-connection.ts";
import type { RedisScript, ScriptArgument } from "../log/redis-script.ts";
import { checkJsonRow, checkRow } from "../log/stored-row.ts";
import type { Claim, DeliveryLedger, Failing } from "./delivery-ledger.ts";
import { redisClaims } from "./redis-claims.ts";
import { idAndFence, ledgerKeys } from "./redis-ledger-keys.ts";
import { advanceScript, failScript, parkScript, resumeScript } from "./redis-ledger-scripts.ts";
import { storedDeadLetter, storedFailing } from "./stored-progress.ts";

const count = z.coerce.number().int().nonnegative();
const flagsReply = z.array(z.literal([0, 1]));
const progressReply = z.tuple([count.nullable(), z.string().nullable(), z.string().nullable()]);

/** Cursors and claims in Redis hashes. The clocks of the processes may differ by less than a claim lasts. */
export function createRedisDeliveryLedger(
  connection: RedisConnection,
  { prefix, now = Date.now }: { readonly prefix: string; readonly now?: () => number },
): DeliveryLedger {
  const run = (script: RedisScript, keys: readonly string[], args: readonly ScriptArgument[]) =>
    connection.run((redis) => script.run(redis, keys, args));
  const keysOf = (channel: ChannelId) => ledgerKeys(prefix, channel);
  const fail = async (claim: Claim, failing: Failing, wait: ScriptArgument): Promise<boolean> => {
    const { moving } = keysOf(claim.subscription.channel);
    return (await run(failScript, moving, [...idAndFence(claim), JSON.stringify(failing), wait])) === 1;
  };

  return {
    ...redisClaims(connection, { prefix, now }),
    async advance(channel, moves) {
      const args = moves.flatMap(({ claim, from, to }) => [...idAndFence(claim), from, to]);
      const reply = await run(advanceScript, keysOf(channel).moving, args);
      return checkRow(flagsReply, reply, `moves, ${channel}`).map((flag) => flag === 1);
    },
    defer: (claim, failing) => fail(claim, failing, failing.nextAttemptAt),
    pause: (claim, failing) => fail(claim, failing, "paused"),
    async park({ claim, from, to }, letter) {
      const { moving, deadLetters } = keysOf(letter.channel);
      const args = [...idAndFence(claim), from, to, JSON.stringify(letter)];
      return (await run(parkScript, [...moving, deadLetters(letter.subscription)], args)) === 1;
    },
    async resume(channel, id) {
      const { failures, waits } = keysOf(channel);
      return (await run(resumeScript, [failures, waits], [id])) === 1;
    },
    async progress(channel, id) {
      const { cursors, failures, waits } = keysOf(channel);
      const replies = await connection.transact((redis) =>
        redis.hget(cursors, id).hget(failures, id).hget(waits, id),
      );
      const [cursor, failure, wait] = checkRow(progressReply, replies, `progress ${id}`);
      if (cursor === null) return undefined;
      const failing = failure === null ? undefined : checkJsonRow(storedFailing, failure, `failure ${id}`);
      return { cursor, failing, paused: wait === "paused" };
    },
    async deadLetters(channel, id) {
      const rows = await connection.run((redis) => redis.hvals(keysOf(channel).deadLetters(id)));
      const letters = rows.map((row) => checkJsonRow(storedDeadLetter, row, `dead letter of ${id}`));
      return letters.toSorted((a, b) => a.sequence - b.sequence);
    },
  };
}
