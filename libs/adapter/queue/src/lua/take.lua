--[[
  Shortens the lease of attempts that a worker has just taken, so that a worker's death frees their slots soon.

  ARGV 1    lease of a running attempt, in ms
       2..  pairs: tenant, attempt
  Returns  how many hold a slot.

  Guarantees: gives no slot to an attempt that has none, so it is harmless when it arrives after the release.
]]
local deadline = now() + tonumber(ARGV[1])
local held = 0
for i = 2, #ARGV, 2 do
  if redis.call("ZSCORE", inflight(ARGV[i]), ARGV[i + 1]) then
    hold(ARGV[i], ARGV[i + 1], deadline)
    held = held + 1
  end
end
return held
