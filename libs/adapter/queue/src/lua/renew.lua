--[[
  Keeps the slots of running attempts for another lease.

  ARGV 1    lease of a running attempt, in ms
       2..  pairs: tenant, attempt
  Returns  how many had lost their slot and have it again.

  Guarantees: what runs is counted, also after its lease ran out or Redis was emptied; the tenant may then stand
  above its cap until something ends. Must not be sent for an attempt after its release.
]]
local deadline = now() + tonumber(ARGV[1])
local restored = 0
for i = 2, #ARGV, 2 do
  if not redis.call("ZSCORE", inflight(ARGV[i]), ARGV[i + 1]) then restored = restored + 1 end
  hold(ARGV[i], ARGV[i + 1], deadline)
end
return restored
