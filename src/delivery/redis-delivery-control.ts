import { z } from "zod";
import type { ChannelId } from "../channels/channel.ts";
import type { RedisConnection } from "../log/redis-connection.ts";
import type { RedisScript, ScriptArgument } from "../log/redis-script.ts";
import { checkRow } from "../log/stored-row.ts";
import type { SubscriptionId } from "../subscriptions/subscription.ts";
import { type DeliveryControl, maxPauseNote } from "./delivery-control.ts";
import { endWaitScript, pauseByOperatorScript, rewindScript } from "./redis-control-scripts.ts";
import { ledgerKeys } from "./redis-ledger-keys.ts";
import { pauseToWaitFor } from "./redis-pause.ts";

const rewound = z.enum(["rewound", "no-subscription", "outside-log"]);

/** An operator's hand on what the ledger keeps in Redis. */
export function createRedisDeliveryControl(
  connection: RedisConnection,
  { prefix, now = Date.now }: { readonly prefix: string; readonly now?: () => number },
): DeliveryControl {
  const run = (script: RedisScript, keys: readonly string[], args: readonly ScriptArgument[]) =>
    connection.run((redis) => script.run(redis, keys, args));
  const endWait = async (channel: ChannelId, id: SubscriptionId, isPause: 0 | 1): Promise<boolean> => {
    const { failures, waits } = ledgerKeys(prefix, channel);
    return (await run(endWaitScript, [failures, waits], [id, isPause])) === 1;
  };

  return {
    async pause(channel, id, note) {
      const { cursors, waits, claims } = ledgerKeys(prefix, channel);
      const wait = pauseToWaitFor({ at: now(), because: "operator", note: note?.slice(0, maxPauseNote) });
      return (await run(pauseByOperatorScript, [cursors, waits, claims], [id, wait])) === 1;
    },
    resume: (channel, id) => endWait(channel, id, 1),
    hasten: (channel, id) => endWait(channel, id, 0),
    async rewind(channel, id, to) {
      const { meta, log, cursors, failures, waits, claims } = ledgerKeys(prefix, channel);
      const keys = [meta, log, cursors, failures, waits, claims];
      return checkRow(rewound, await run(rewindScript, keys, [id, to]), `answer to a rewinding, ${channel}`);
    },
  };
}
