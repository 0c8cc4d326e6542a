import { redisScript } from "../log/redis-script.ts";

/** A row is kept as `changedAt`, a line end, and the `url` element. ARGV from `first` on: key, changedAt, element, and so on. */
const put = `
local function put(rows, uris, first)
  local more = 0
  for i = first, #ARGV, 3 do
    local key, changedAt, xml = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    local before = redis.call('HGET', rows, key)
    local lineEnd = before and string.find(before, '\\n', 1, true)
    if not before or string.sub(before, 1, lineEnd - 1) <= changedAt then
      redis.call('HSET', rows, key, changedAt .. '\\n' .. xml)
      local was = before and #before > lineEnd
      if xml ~= '' and not was then
        redis.call('ZADD', uris, 0, key)
        more = more + 1
      elseif xml == '' and was then
        redis.call('ZREM', uris, key)
        more = more - 1
      end
    end
  end
  return more
end
`;

/** KEYS: rows, URIs. ARGV: rows. */
export const fillScript = redisScript(`${put}
return put(KEYS[1], KEYS[2], 1)
`);

/** KEYS: head, rows, URIs. ARGV: expected revision, state, rows. */
export const changeScript = redisScript(`${put}
if (redis.call('HGET', KEYS[1], 'revision') or '0') ~= ARGV[1] then return 0 end
redis.call('HINCRBY', KEYS[1], 'resources', put(KEYS[2], KEYS[3], 3))
redis.call('HINCRBY', KEYS[1], 'revision', 1)
redis.call('HSET', KEYS[1], 'state', ARGV[2])
return 1
`);

/** KEYS: head. ARGV: expected revision, state, resources. */
export const replaceScript = redisScript(`
if (redis.call('HGET', KEYS[1], 'revision') or '0') ~= ARGV[1] then return 0 end
redis.call('HINCRBY', KEYS[1], 'revision', 1)
redis.call('HSET', KEYS[1], 'state', ARGV[2], 'resources', ARGV[3])
return 1
`);
