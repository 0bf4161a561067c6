--[[
  Says that a device is connected here from now on, whoever had it before, but for a later connection.

  KEYS 1  the device's place: STRING, `<process> <connection>`
       2  the tenant's connected devices: ZSET of ids by until when each is believed connected, in ms since 1970
  ARGV 1  the new place
       2  the device's id
       3  for how long without a word, in ms
  Returns  1, or 0 where a connection with a larger number has it already; and the place before, or ""

  Guarantees: a device has one place, that of its latest connection.
]]
local function numberOf(place) return tonumber(string.match(place, " (%d+)$")) or 0 end
local clock = redis.call("TIME")
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local before = redis.call("GET", KEYS[1])
if before and numberOf(before) > numberOf(ARGV[1]) then return {0, before} end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[3])
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", now)
redis.call("ZADD", KEYS[2], now + tonumber(ARGV[3]), ARGV[2])
redis.call("PEXPIRE", KEYS[2], ARGV[3])
return {1, before or ""}
