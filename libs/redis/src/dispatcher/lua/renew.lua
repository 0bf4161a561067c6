--[[
  Keeps the slots of running attempts for another lease.

  ARGV 1    lease of a running attempt, in ms
       2..  pairs: tenant, attempt
  Returns  how many had lost their slot and have it again.

  Guarantees: what runs is counted, also after its lease ran out or Redis was emptied; the tenant may then stand
  above its cap until something ends (a tool's cap and the charge are not restored). Must not be sent for an attempt
  after its release.
]]
local at = now()
local deadline = at + tonumber(ARGV[1])
local restored = 0
for i = 2, #ARGV, 2 do
  local tenant, attempt = ARGV[i], ARGV[i + 1]
  if not redis.call("ZSCORE", inflight_key(tenant), attempt) then
    restored = restored + 1
    changed[tenant] = true
    out_of_backlog(tenant, attempt)
  end
  hold(tenant, attempt, deadline)
  touch(LEASES)
  touch(tenant_key(tenant))
  touch(job_key(attempt))
end
update_changed(at)
return finish(restored)
