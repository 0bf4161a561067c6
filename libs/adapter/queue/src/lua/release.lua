--[[
  Forgets attempts: frees their slots, takes them out of the backlog, and hands the free slots on.

  ARGV 1    lease of an attempt that is handed out, in ms
       2..  pairs: tenant, attempt
  Returns  1: the `<tenant>|<attempt>` to hand out now: these hold a slot
           2: the given attempts that BullMQ still holds and nobody has locked: to be removed from it

  Guarantees: repeating it changes nothing; the free slots go to the backlog's head, never above the cap.
]]
local at = now()
local deadline = at + tonumber(ARGV[1])
local out, idle = {}, {}
for i = 2, #ARGV, 2 do
  local tenant, attempt = ARGV[i], ARGV[i + 1]
  redis.call("ZREM", inflight(tenant), attempt)
  redis.call("ZREM", LEASES, tenant .. "|" .. attempt)
  if redis.call("ZREM", backlog(tenant), attempt) == 1 then settle(tenant) end
  -- The usual release comes from the attempt's own worker, whose lock is there: then BullMQ removes the job itself.
  if redis.call("EXISTS", job(attempt)) == 1 and redis.call("EXISTS", job(attempt) .. ":lock") == 0 then
    idle[#idle + 1] = attempt
  end
  if redis.call("EXISTS", backlog(tenant)) == 1 then
    drop_expired(tenant, at)
    fill(tenant, deadline, out)
  end
end
return { out, idle }
