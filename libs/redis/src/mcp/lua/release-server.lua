--[[
  Gives a lease back. Harmless when repeated, or when another process holds it.

  KEYS 1  the lease, see take-server.lua
  ARGV 1  the process
  Returns  how many leases were given back
]]
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call("DEL", KEYS[1])
