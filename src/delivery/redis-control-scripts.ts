import { redisScript } from "../log/redis-script.ts";
import { operatorsPause } from "../subscriptions/redis-subscription-scripts.ts";

/** KEYS: cursors, waits, claims. ARGV: id, what to wait for. */
export const pauseByOperatorScript = redisScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('HDEL', KEYS[3], ARGV[1])
return 1
`);

/** KEYS: failures, waits. ARGV: id, whether to end a pause (1) or the wait for the next attempt (0). */
export const endWaitScript = redisScript(`
local wait = redis.call('HGET', KEYS[2], ARGV[1])
if not wait or (string.sub(wait, 1, 6) == 'paused') ~= (ARGV[2] == '1') then return 0 end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
`);

/**
 * KEYS: meta, log, cursors, failures, waits, claims. ARGV: id, cursor.
 * The log has no holes: its length tells where it begins.
 */
export const rewindScript = redisScript(`${operatorsPause}
local id, to = ARGV[1], tonumber(ARGV[2])
if redis.call('HEXISTS', KEYS[3], id) == 0 then return 'no-subscription' end
local newest = tonumber(redis.call('HGET', KEYS[1], 'newest') or '0')
if to > newest or to < newest - redis.call('XLEN', KEYS[2]) then return 'outside-log' end
redis.call('HSET', KEYS[3], id, ARGV[2])
redis.call('HDEL', KEYS[4], id)
if not isOperators(redis.call('HGET', KEYS[5], id)) then redis.call('HDEL', KEYS[5], id) end
redis.call('HDEL', KEYS[6], id)
return 'rewound'
`);
