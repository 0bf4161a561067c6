--[[
  Says that a device is connected here from now on, whoever had it before.

  KEYS 1  the device's place: STRING, `<process> <connection>`
       2  the tenant's connected devices: ZSET of ids by until when each is believed connected, in ms since 1970
  ARGV 1  the new place
       2  the device's id
       3  for how long without a word, in ms
  Returns  the place before, or false

  Guarantees: a device has one place.
]]
local clock = redis.call("TIME")
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local before = redis.call("GET", KEYS[1])
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[3])
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", now)
redis.call("ZADD", KEYS[2], now + tonumber(ARGV[3]), ARGV[2])
redis.call("PEXPIRE", KEYS[2], ARGV[3])
return before
