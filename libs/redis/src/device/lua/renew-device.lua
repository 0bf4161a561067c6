--[[
  Says again that a device is connected here. Where nothing is known of it, as after a Redis that was emptied, it is here.

  KEYS, ARGV  as take-device.lua has them
  Returns  1, or 0 where the device is elsewhere by now
]]
local place = redis.call("GET", KEYS[1])
if place and place ~= ARGV[1] then return 0 end
local clock = redis.call("TIME")
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[3])
redis.call("ZADD", KEYS[2], now + tonumber(ARGV[3]), ARGV[2])
redis.call("PEXPIRE", KEYS[2], ARGV[3])
return 1
