import { redisScript } from "../log/redis-script.ts";
import { holding } from "./redis-ledger-scripts.ts";

/** KEYS: dead letters, marks, resends, meta, log. ARGV: id, sequence numbers. Answers how many were marked, and have left the log. */
export const markScript = redisScript(`
local newest = tonumber(redis.call('HGET', KEYS[4], 'newest') or '0')
local oldest = newest + 1 - redis.call('XLEN', KEYS[5])
local marked, gone = 0, 0
for index = 2, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[index]) == 1 then
    redis.call('ZADD', KEYS[2], ARGV[index], ARGV[index])
    marked = marked + 1
    if tonumber(ARGV[index]) < oldest then gone = gone + 1 end
  end
end
if marked > 0 then redis.call('HSET', KEYS[3], ARGV[1], 1) end
return { marked, gone }
`);

const unmarking = `
local function unmark(marks, resends, id, sequence)
  redis.call('ZREM', marks, sequence)
  if redis.call('EXISTS', marks) == 0 then redis.call('HDEL', resends, id) end
end
`;

/** KEYS: dead letters, marks, resends. ARGV: id, sequence numbers. */
export const dropScript = redisScript(`${unmarking}
local dropped = 0
for index = 2, #ARGV do
  dropped = dropped + redis.call('HDEL', KEYS[1], ARGV[index])
  unmark(KEYS[2], KEYS[3], ARGV[1], ARGV[index])
end
return dropped
`);

/** KEYS: dead letters, marks, resends. ARGV: id. Answers sequence number and letter; a flag without marks is taken away. */
export const nextMarkedScript = redisScript(`
local sequence = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
if not sequence then
  redis.call('HDEL', KEYS[3], ARGV[1])
  return {}
end
return { sequence, redis.call('HGET', KEYS[1], sequence) or '' }
`);

/** KEYS: dead letters, marks, resends, claims. ARGV: id, fence, sequence number, letter that stays or nothing. */
export const settleResendScript = redisScript(`${holding}${unmarking}
local id, sequence, letter = ARGV[1], ARGV[3], ARGV[4]
if not holds(KEYS[4], id, ARGV[2]) then return 0 end
if letter == '' then
  redis.call('HDEL', KEYS[1], sequence)
elseif redis.call('HEXISTS', KEYS[1], sequence) == 1 then
  redis.call('HSET', KEYS[1], sequence, letter)
end
unmark(KEYS[2], KEYS[3], id, sequence)
return 1
`);

/** The same KEYS. ARGV: id, fence. */
export const forgetMarksScript = redisScript(`${holding}
if not holds(KEYS[4], ARGV[1], ARGV[2]) then return 0 end
local marks = redis.call('ZCARD', KEYS[2])
redis.call('UNLINK', KEYS[2])
redis.call('HDEL', KEYS[3], ARGV[1])
return marks
`);
