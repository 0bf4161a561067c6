--[[
  Takes a worker off the list. Harmless when repeated.

  KEYS 1  the directory's base, see announce.lua
  ARGV 1  worker
  Returns  how many were taken off
]]
redis.call("HDEL", KEYS[1] .. ":facts", ARGV[1])
return redis.call("ZREM", KEYS[1] .. ":until", ARGV[1])
