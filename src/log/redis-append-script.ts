import { redisScript } from "./redis-script.ts";

/**
 * The meta hash holds `newest`, `incarnation`, `epochs` (`name:first,name:first`), `receivedAt` and `until`.
 *
 * `master_replid` names the present life of the data set: it changes when a server starts and when a replica is promoted, that
 * is, whenever writes may have been lost; so the epoch changes with it. Reading it costs 2 µs.
 *
 * KEYS: meta, log
 */
const epochs = `
local meta = redis.call('HMGET', KEYS[1], 'newest', 'incarnation', 'epochs', 'receivedAt', 'until')
local newest = tonumber(meta[1])
if not newest then
  local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
  newest = last and tonumber(string.match(last[1], '^%d+')) or 0
end
local epochs = meta[3] or ''
local mostSpans = 32

local function heldSpans(oldest)
  local spans = {}
  for name, first in string.gmatch(epochs, '([^:,]+):(%d+)') do
    local before = spans[#spans]
    if before and tonumber(first) - 1 < oldest - 1 then spans[#spans] = nil end
    spans[#spans + 1] = name .. ':' .. first
  end
  while newest == 0 and #spans >= mostSpans do table.remove(spans, 1) end
  return spans
end

local function enterEpoch(candidate)
  local incarnation = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)')
  if epochs == '' or meta[2] ~= incarnation then
    epochs = epochs .. (epochs == '' and '' or ',') .. candidate .. ':' .. string.format('%.0f', newest + 1)
    epochs = table.concat(heldSpans(newest + 1 - redis.call('XLEN', KEYS[2])), ',')
    redis.call('HSET', KEYS[1], 'newest', string.format('%.0f', newest), 'incarnation', incarnation, 'epochs', epochs)
  end
  return string.match(epochs, '([^:,]+):%d+$')
end
`;

/**
 * ARGV: name for a new epoch.
 * Answers newest, number of notifications held, epochs.
 */
export const boundsScript = redisScript(`${epochs}
if newest == 0 then enterEpoch(ARGV[1]) end
return { newest, redis.call('XLEN', KEYS[2]), epochs }
`);

/**
 * KEYS: meta, log, record of the document, record of the idempotency key (if there is one)
 * Answers kind, epoch, sequence, receivedAt, previousUntil, receipt; of an overlap only the kind and previousUntil.
 */
export const appendScript = redisScript(`${epochs}
local now, candidate, digest, from, till, refuseOverlap, window, contentType, payload, receipt, wake, sender, channel = unpack(ARGV)

local function recall(key)
  local record = redis.call('HMGET', key, 'digest', 'epoch', 'sequence', 'receivedAt', 'previousUntil', 'receipt')
  return record[1] and record
end
local function remember(key, record)
  redis.call('HSET', key, 'digest', digest, 'epoch', record[2], 'sequence', record[3], 'receivedAt', record[4],
    'previousUntil', record[5], 'receipt', record[6])
  redis.call('PEXPIRE', key, window)
end
local function answer(kind, record)
  return { kind, record[2], record[3], record[4], record[5], record[6] }
end

if KEYS[4] then
  local record = recall(KEYS[4])
  if record then return answer(record[1] == digest and 'repeated' or 'key-reused', record) end
end
local earlier = recall(KEYS[3])
if earlier then
  if KEYS[4] then remember(KEYS[4], earlier) end
  return answer('repeated', earlier)
end

local previousUntil = meta[5] or ''
if refuseOverlap == '1' and from ~= '' and from < previousUntil then
  return { 'overlapping', previousUntil }
end

local epoch = enterEpoch(candidate)
local sequence = string.format('%.0f', newest + 1)
local receivedAt = now
if meta[4] and tonumber(meta[4]) > tonumber(now) then receivedAt = meta[4] end
redis.call('XADD', KEYS[2], sequence .. '-0', 'e', epoch, 't', receivedAt, 'c', contentType, 'p', payload)
redis.call('HSET', KEYS[1], 'newest', sequence, 'receivedAt', receivedAt, 'until', till > previousUntil and till or previousUntil)
local record = { digest, epoch, sequence, receivedAt, previousUntil, receipt }
remember(KEYS[3], record)
if KEYS[4] then remember(KEYS[4], record) end
redis.call('PUBLISH', wake, sender .. ' ' .. sequence .. ' ' .. channel)
return answer('appended', record)
`);
