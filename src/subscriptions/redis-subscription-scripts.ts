import { redisScript } from "../log/redis-script.ts";

/** KEYS: requests, times. ARGV: now, untouched until, limit. */
export const takeOverdueScript = redisScript(`
local ids = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
local requests = {}
for _, id in ipairs(ids) do
  local request = redis.call('HGET', KEYS[1], id)
  if request then
    redis.call('ZADD', KEYS[2], ARGV[2], id)
    requests[#requests + 1] = request
  else
    redis.call('ZREM', KEYS[2], id)
  end
end
return requests
`);

/** `waits` tells of a pause as `paused` with a JSON object, which an earlier version left out. */
export const operatorsPause = `
local function isOperators(wait)
  if not wait or string.sub(wait, 1, 6) ~= 'paused' or #wait == 6 then return false end
  return cjson.decode(string.sub(wait, 7)).because == 'operator'
end
`;

const replacingSecret = `
local function replaceSecret(row, before, keepUntil)
  if not row.secret or row.secret == before.secret then
    row.previousSecret = row.secret and before.previousSecret
  elseif before.secret and tonumber(keepUntil) > 0 then
    row.previousSecret = { secret = before.secret, ['until'] = tonumber(keepUntil) }
  else
    row.previousSecret = nil
  end
end
`;

/**
 * KEYS: subscriptions, cursors, failures, waits. ARGV: id, subscription, cursor, until when a secret that is replaced is kept.
 * cjson writes numbers with 14 digits, which milliseconds do not use up.
 */
export const activateScript = redisScript(`${operatorsPause}${replacingSecret}
local before = redis.call('HGET', KEYS[1], ARGV[1])
local row = ARGV[2]
if before then
  local renewed, known = cjson.decode(row), cjson.decode(before)
  renewed.createdAt = known.createdAt
  renewed.exhausted = known.exhausted
  replaceSecret(renewed, known, ARGV[4])
  row = cjson.encode(renewed)
  redis.call('HDEL', KEYS[3], ARGV[1])
  if not isOperators(redis.call('HGET', KEYS[4], ARGV[1])) then redis.call('HDEL', KEYS[4], ARGV[1]) end
else
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
end
redis.call('HSET', KEYS[1], ARGV[1], row)
return before and 'renewed' or 'created'
`);

/** KEYS: subscriptions. ARGV: id, what changes: `exhausted` ('' for none), or `secret` and `keepSecretUntil`. */
export const changeScript = redisScript(`${replacingSecret}
local before = redis.call('HGET', KEYS[1], ARGV[1])
if not before then return 0 end
local row, known, change = cjson.decode(before), cjson.decode(before), cjson.decode(ARGV[2])
if change.exhausted then row.exhausted = change.exhausted ~= '' and change.exhausted or nil end
if change.secret then
  row.secret = change.secret
  replaceSecret(row, known, change.keepSecretUntil)
end
redis.call('HSET', KEYS[1], ARGV[1], cjson.encode(row))
return 1
`);

/** KEYS: subscriptions, dead letters, marks, cursors, failures, waits, claims, resends. ARGV: id. */
export const endScript = redisScript(`
if redis.call('HDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('UNLINK', KEYS[2], KEYS[3])
for index = 4, #KEYS do redis.call('HDEL', KEYS[index], ARGV[1]) end
return 1
`);
