--[[
  Prolongs a lease for the process that holds it. A lease that ran out is not taken anew.

  KEYS 1  the lease, see take-server.lua
  ARGV 1  the process
       2  how long it holds without renewing, in ms
  Returns  1, or 0 where the process holds it no more
]]
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call("PEXPIRE", KEYS[1], ARGV[2])
