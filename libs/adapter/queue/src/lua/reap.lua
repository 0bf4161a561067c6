--[[
  Frees slots whose lease ran out, and fills free slots of tenants that have a backlog.

  ARGV 1  lease of an attempt that is handed out, in ms
       2  how many expired leases to look at, at most
       3  how many tenants with a backlog to look at, at most: those that were longest not looked at
  Returns  1: the `<tenant>|<attempt>` to hand out now: these hold a slot
           2: how many leases had run out; when it is ARGV 2, there may be more

  Guarantees: a lease that was prolonged meanwhile stays; every tenant with a backlog has its turn.
]]
local at = now()
local deadline = at + tonumber(ARGV[1])
local out, touched = {}, {}
local expired = redis.call("ZRANGEBYSCORE", LEASES, "-inf", at, "LIMIT", 0, ARGV[2])
for _, lease in ipairs(expired) do
  redis.call("ZREM", LEASES, lease)
  local tenant = string.match(lease, "^(.-)|")
  if tenant then touched[tenant] = true end
end
for _, tenant in ipairs(redis.call("ZRANGE", WAITING, 0, tonumber(ARGV[3]) - 1)) do
  redis.call("ZADD", WAITING, at, tenant)
  touched[tenant] = true
end
for tenant in pairs(touched) do
  drop_expired(tenant, at)
  settle(tenant)
  fill(tenant, deadline, out)
end
return { out, #expired }
