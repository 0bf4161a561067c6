--[[
  Says that a device is connected here no more. Harmless when repeated, or when it is elsewhere.

  KEYS 1, 2  as take-device.lua has them
  ARGV 1  the place
       2  the device's id
  Returns  1, or 0 where it was not here
]]
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[1])
redis.call("ZREM", KEYS[2], ARGV[2])
return 1
