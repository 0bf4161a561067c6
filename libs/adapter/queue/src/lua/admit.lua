--[[
  Gives attempts a slot of their tenant, or a place at the end of the tenant's backlog.

  ARGV 1    lease of an attempt that is handed out, in ms
       2    cap of a tenant that none was ever given for
       3..  triples: tenant, attempt, the tenant's cap or "" for the one last given
  Returns  the `<tenant>|<attempt>` to hand out now: these hold a slot. May name others than the given ones.

  Guarantees: a tenant never gets more slots than its cap; nobody overtakes a backlog; an attempt that already holds
  a slot is named again (so a crash before it was handed out heals) and one that already waits keeps its place.
]]
local at = now()
local deadline = at + tonumber(ARGV[1])
local out = {}
for i = 3, #ARGV, 3 do
  local tenant, attempt = ARGV[i], ARGV[i + 1]
  if ARGV[i + 2] == "" then
    redis.call("HSETNX", CAPS, tenant, ARGV[2])
  else
    redis.call("HSET", CAPS, tenant, ARGV[i + 2])
  end
  local cap = tonumber(redis.call("HGET", CAPS, tenant))
  drop_expired(tenant, at)
  if redis.call("ZSCORE", inflight(tenant), attempt) then
    out[#out + 1] = tenant .. "|" .. attempt
  elseif redis.call("EXISTS", backlog(tenant)) == 0 and redis.call("ZCARD", inflight(tenant)) < cap then
    hold(tenant, attempt, deadline)
    out[#out + 1] = tenant .. "|" .. attempt
  else
    redis.call("ZADD", backlog(tenant), "NX", redis.call("INCR", SEQUENCE), attempt)
    redis.call("ZADD", WAITING, "NX", at, tenant)
    fill(tenant, deadline, out)
  end
end
return out
