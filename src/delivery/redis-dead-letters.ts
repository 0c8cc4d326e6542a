import { z } from "zod";
import type { RedisConnection } from "../log/redis-connection.ts";
import { checkJsonRow, checkRow } from "../log/stored-row.ts";
import { stepsOf } from "./chosen-letters.ts";
import type { DeadLetters } from "./dead-letters.ts";
import { ledgerKeys } from "./redis-ledger-keys.ts";
import { dropScript, markScript } from "./redis-letter-scripts.ts";
import { storedDeadLetter } from "./stored-progress.ts";

const count = z.number().int().nonnegative();
const markReply = z.tuple([count, count]);

/** Dead letters in one hash for each subscription; their bounded number lets it do without an index. */
export function createRedisDeadLetters(
  connection: RedisConnection,
  { prefix }: { readonly prefix: string },
): DeadLetters {
  const letters: DeadLetters = {
    async page(channel, id, { after, limit }) {
      const key = ledgerKeys(prefix, channel).deadLetters(id);
      const sequences = (await connection.run((redis) => redis.hkeys(key))).map(Number);
      const wanted = sequences
        .filter((sequence) => sequence > after)
        .toSorted((a, b) => a - b)
        .slice(0, limit);
      if (wanted.length === 0) return [];
      const rows = await connection.run((redis) => redis.hmget(key, ...wanted.map(String)));
      return rows.flatMap((row) =>
        // It was dropped meanwhile.
        row === null ? [] : [checkJsonRow(storedDeadLetter, row, `dead letter of ${id}`)],
      );
    },
    count: (channel, id) =>
      connection.run((redis) => redis.hlen(ledgerKeys(prefix, channel).deadLetters(id))),
    async drop(channel, id, chosen) {
      const keys = ledgerKeys(prefix, channel).letters(id);
      let dropped = 0;
      for await (const sequences of stepsOf(letters, channel, id, chosen)) {
        const reply = await connection.run((redis) => dropScript.run(redis, keys, [id, ...sequences]));
        dropped += checkRow(count, reply, "number of dropped letters");
      }
      return dropped;
    },
    async resend(channel, id, chosen) {
      const { meta, log, letters: letterKeys } = ledgerKeys(prefix, channel);
      const outcome = { marked: 0, gone: 0 };
      for await (const sequences of stepsOf(letters, channel, id, chosen)) {
        const reply = await connection.run((redis) =>
          markScript.run(redis, [...letterKeys(id), meta, log], [id, ...sequences]),
        );
        const [marked, gone] = checkRow(markReply, reply, "number of marked letters");
        outcome.marked += marked;
        outcome.gone += gone;
      }
      return outcome;
    },
  };
  return letters;
}
