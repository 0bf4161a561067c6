--[[
  Notes a command in the background, unless its tenant has too many that go on.

  KEYS 1  the process: HASH, `facts`, `said` by exchange-words.lua, and `end` once it has one
       2  the tenant's processes that go on: ZSET of ids by when each is taken for lost, in ms since 1970
       3  all that are known of the tenant's: ZSET of ids by when each began, in ms since 1970
  ARGV 1  the process's id
       2  its facts as JSON
       3  how many may go on
       4  how many are known
       5  how long it holds without a word, in ms
       6  how long it is remembered without one, in ms
  Returns  1, or 0 where the tenant has too many

  Guarantees: those that are lost don't count; of too many that are known the oldest that are over are forgotten with all that
  they said. Their keys are not among KEYS, but have the tenant's hash tag and so lie where those do.
]]
local clock = redis.call("TIME")
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", now)
if redis.call("ZCARD", KEYS[2]) >= tonumber(ARGV[3]) then return 0 end
redis.call("HSET", KEYS[1], "facts", ARGV[2])
redis.call("PEXPIRE", KEYS[1], ARGV[6])
redis.call("ZADD", KEYS[2], now + tonumber(ARGV[5]), ARGV[1])
redis.call("PEXPIRE", KEYS[2], ARGV[6])
redis.call("ZADD", KEYS[3], now, ARGV[1])
for _, id in ipairs(redis.call("ZRANGE", KEYS[3], 0, -1 - tonumber(ARGV[4]))) do
  if not redis.call("ZSCORE", KEYS[2], id) then
    local key = KEYS[2] .. ":" .. id
    redis.call("DEL", key, key .. ":out", key .. ":in")
    redis.call("ZREM", KEYS[3], id)
  end
end
redis.call("PEXPIRE", KEYS[3], ARGV[6])
return 1
