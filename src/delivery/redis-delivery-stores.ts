import type { RedisConnection } from "../log/redis-connection.ts";
import { createRedisDeadLetters } from "./redis-dead-letters.ts";
import { createRedisDeliveryControl } from "./redis-delivery-control.ts";
import { createRedisDeliveryLedger } from "./redis-delivery-ledger.ts";
import { createRedisRecordRings } from "./redis-record-rings.ts";

/** What delivery keeps in Redis. */
export function createRedisDeliveryStores(
  connection: RedisConnection,
  options: { readonly prefix: string; readonly now?: () => number; readonly claim?: number | undefined },
) {
  return {
    ledger: createRedisDeliveryLedger(connection, options),
    control: createRedisDeliveryControl(connection, options),
    recordRings: createRedisRecordRings(connection, options),
    deadLetters: createRedisDeadLetters(connection, options),
  };
}
