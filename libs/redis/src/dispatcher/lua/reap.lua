--[[
  Frees slots whose lease ran out, hands them on, and tells how many there were since the last reap.

  ARGV 1  lease of an attempt that is handed out, in ms
  Returns  1: 1 when a bound ended the step before all was done
           2: how many leases had run out, those that other steps met included

  Guarantees: a lease that was prolonged meanwhile stays; each that ran out is counted by one reap.
]]
local at = now()
local more = fill(at, tonumber(ARGV[1]))
local lapsed = tonumber(redis.call("GET", LAPSED) or 0)
redis.call("DEL", LAPSED)
return finish({ more, lapsed })
