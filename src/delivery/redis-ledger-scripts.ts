import { redisScript } from "../log/redis-script.ts";

/**
 * The present life of the data set: another one when a server starts and when a replica is promoted, that is, whenever writes may
 * have been lost. Claims end with it: a store that went back must not take moves of what it no longer holds. It costs 2 µs.
 *
 * Redis takes another one, too, about an hour after its last replica left (`repl-backlog-ttl`). That does no harm: claims end, and
 * what was being sent at that moment may come a second time.
 */
const presentLife = `
local life = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
`;

/** Milliseconds since 1970 by the server's clock, which is one for all processes, unless another time is given. */
const serverTime = `
local function timeOr(given)
  if given and given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
`;

/**
 * `waits` holds, for a subscription that failed, the time of its next attempt, and for one that is paused `paused` with a JSON
 * object that says why (see stored-progress.ts); `claims` holds
 * `fence:lapse:life`; `resends` has a field where letters are marked.
 *
 * KEYS: meta, cursors, waits, claims, resends. ARGV begins with now (empty: by the server's clock).
 */
const standing = `${presentLife}${serverTime}
local newest = tonumber(redis.call('HGET', KEYS[1], 'newest') or '0')
local now = timeOr(ARGV[1])

local function standingOf(ids)
  if #ids == 0 then return {} end
  local cursors = redis.call('HMGET', KEYS[2], unpack(ids))
  local waits = redis.call('HMGET', KEYS[3], unpack(ids))
  local claims = redis.call('HMGET', KEYS[4], unpack(ids))
  local marked = redis.call('EXISTS', KEYS[5]) == 1 and redis.call('HMGET', KEYS[5], unpack(ids)) or {}
  local unread = {}
  for index, id in ipairs(ids) do
    local lapse, itsLife = string.match(claims[index] or '', ':(%d+):(%w+)$')
    local isFree = not lapse or itsLife ~= life or tonumber(lapse) <= now
    local hasWork = cursors[index] and (marked[index] or tonumber(cursors[index]) < newest)
    local isPaused = waits[index] and string.sub(waits[index], 1, 6) == 'paused'
    if hasWork and not isPaused and isFree then
      local wait = waits[index] and tonumber(waits[index])
      unread[#unread + 1] = {
        id = id, cursor = cursors[index], wait = wait and wait > now and waits[index], marks = marked[index] and 1 or 0
      }
    end
  end
  return unread
end
`;

const holdingInLife = `
local function holds(claims, id, fence)
  local itsFence, itsLife = string.match(redis.call('HGET', claims, id) or '', '^(%d+):%d+:(%w+)$')
  return itsFence == fence and itsLife == life
end
`;

/** A claim holds as long as nobody took it over, even if it has lapsed; and no longer than the data set lives. */
export const holding = `${presentLife}${holdingInLife}`;

/**
 * KEYS: meta, cursors, waits, claims, resends, subscriptions, failures. ARGV: now, how long a claim lasts, ids.
 * Answers subscription, cursor, failure, fence and whether letters are marked, of each new claim; and the log's incarnation.
 *
 * A fence is never less than the time, so that none is given out twice, also where the store has gone back.
 */
export const claimScript = redisScript(`${standing}
local epoch = string.match(redis.call('HGET', KEYS[1], 'epochs') or '', '([^:,]+):%d+$') or ''
local claimed = {}
for _, one in ipairs(standingOf({ unpack(ARGV, 3) })) do
  local subscription = not one.wait and redis.call('HGET', KEYS[6], one.id)
  if subscription then
    local last = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
    local fence = string.format('%.0f', math.max(last + 1, timeOr('')))
    redis.call('HSET', KEYS[1], 'fence', fence)
    redis.call('HSET', KEYS[4], one.id, fence .. ':' .. string.format('%.0f', now + tonumber(ARGV[2])) .. ':' .. life)
    local failure = redis.call('HGET', KEYS[7], one.id) or ''
    claimed[#claimed + 1] = { subscription, one.cursor, failure, fence, one.marks }
  end
end
return { claimed, life .. ' ' .. epoch }
`);

/** The same KEYS but the last two. ARGV: now, ids. Answers the due ones, and id and remaining time of those that wait. */
export const backlogScript = redisScript(`${standing}
local due, waiting = {}, {}
for _, one in ipairs(standingOf({ unpack(ARGV, 2) })) do
  if one.wait then
    waiting[#waiting + 1] = { one.id, string.format('%.0f', tonumber(one.wait) - now) }
  else
    due[#due + 1] = one.id
  end
end
return { due, waiting }
`);

/** The same KEYS. ARGV: now, then id and fence of each claim. Answers the due ones among those it released. */
export const releaseScript = redisScript(`${standing}${holdingInLife}
local released, due = {}, {}
for index = 2, #ARGV, 2 do
  if holds(KEYS[4], ARGV[index], ARGV[index + 1]) then
    redis.call('HDEL', KEYS[4], ARGV[index])
    released[#released + 1] = ARGV[index]
  end
end
for _, one in ipairs(standingOf(released)) do
  if not one.wait then due[#due + 1] = one.id end
end
return due
`);

/** KEYS: claims. ARGV: now, how long a claim lasts, then id and fence of each claim. Answers 1 for each that holds. */
export const keepScript = redisScript(`${holding}${serverTime}
local lapse = string.format('%.0f', timeOr(ARGV[1]) + tonumber(ARGV[2]))
local held = {}
for index = 3, #ARGV, 2 do
  local id, fence = ARGV[index], ARGV[index + 1]
  local isHeld = holds(KEYS[1], id, fence)
  if isHeld then redis.call('HSET', KEYS[1], id, fence .. ':' .. lapse .. ':' .. life) end
  held[#held + 1] = isHeld and 1 or 0
end
return held
`);

const moving = `${holding}
local function move(id, fence, from, to)
  if not holds(KEYS[4], id, fence) or tonumber(to) <= tonumber(from) then return 0 end
  if redis.call('HGET', KEYS[1], id) ~= from then return 0 end
  redis.call('HSET', KEYS[1], id, to)
  redis.call('HDEL', KEYS[2], id)
  redis.call('HDEL', KEYS[3], id)
  return 1
end
`;

/** KEYS: cursors, failures, waits, claims. ARGV: id, fence, from and to of each move. Answers 1 for each that was made. */
export const advanceScript = redisScript(`${moving}
local moved = {}
for index = 1, #ARGV, 4 do
  moved[#moved + 1] = move(ARGV[index], ARGV[index + 1], ARGV[index + 2], ARGV[index + 3])
end
return moved
`);

/**
 * The same KEYS, dead letters, marks and resends. ARGV: id, fence, from, to, letter, number of letters that are kept.
 * Answers how many older letters went; -1 where the claim was lost.
 */
export const parkScript = redisScript(`${moving}
if move(ARGV[1], ARGV[2], ARGV[3], ARGV[4]) == 0 then return -1 end
redis.call('HSET', KEYS[5], ARGV[4], ARGV[5])
local over = redis.call('HLEN', KEYS[5]) - tonumber(ARGV[6])
if over <= 0 then return 0 end
local all = {}
for index, sequence in ipairs(redis.call('HKEYS', KEYS[5])) do all[index] = tonumber(sequence) end
table.sort(all)
for index = 1, over do
  local sequence = string.format('%.0f', all[index])
  redis.call('HDEL', KEYS[5], sequence)
  redis.call('ZREM', KEYS[6], sequence)
end
if redis.call('EXISTS', KEYS[6]) == 0 then redis.call('HDEL', KEYS[7], ARGV[1]) end
return over
`);

/** KEYS: cursors, failures, waits, claims. ARGV: id, fence, failure, what to wait for; or nothing, and how long. */
export const failScript = redisScript(`${holding}${serverTime}
local id = ARGV[1]
if not holds(KEYS[4], id, ARGV[2]) or redis.call('HEXISTS', KEYS[1], id) == 0 then return 0 end
redis.call('HSET', KEYS[2], id, ARGV[3])
local wait = ARGV[4]
if wait == '' then wait = string.format('%.0f', timeOr('') + tonumber(ARGV[5])) end
redis.call('HSET', KEYS[3], id, wait)
redis.call('HDEL', KEYS[4], id)
return 1
`);
