--[[
  Lists a worker, or renews what it says about itself.

  KEYS 1  the directory's base, `{bh:workers}`; both keys hang on its hash tag
       <base>:facts  HASH  worker -> its facts, JSON
       <base>:until  ZSET  worker -> when its entry runs out, ms of Redis's clock
  ARGV 1  worker, 2  facts, 3  how long they hold, in ms, 4  how many workers may be listed
  Returns  1, or 0 where the directory is full of others

  Guarantees: entries that ran out are gone before the count is taken; the directory never holds more than ARGV 4;
  with nobody left to announce, both keys vanish.
]]
local facts, till = KEYS[1] .. ":facts", KEYS[1] .. ":until"
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local gone = redis.call("ZRANGEBYSCORE", till, "-inf", now)
for i = 1, #gone do
  redis.call("ZREM", till, gone[i])
  redis.call("HDEL", facts, gone[i])
end
local listed = redis.call("ZSCORE", till, ARGV[1])
if not listed and redis.call("ZCARD", till) >= tonumber(ARGV[4]) then return 0 end

redis.call("HSET", facts, ARGV[1], ARGV[2])
redis.call("ZADD", till, now + tonumber(ARGV[3]), ARGV[1])
-- The last entry to run out takes the keys along.
local last = tonumber(redis.call("ZRANGE", till, -1, -1, "WITHSCORES")[2])
redis.call("PEXPIREAT", facts, last)
redis.call("PEXPIREAT", till, last)
return 1
