--[[
  Forgets a tenant that nothing waits or runs for any more.

  ARGV 1  tenant
       2  attempts with extras that are looked at in one step
  Returns  how many slots it holds, and attempts with extras it has left: 0 when nothing is known of it any more

  Guarantees: what holds a slot keeps it, and then nothing is forgotten; repeating it changes nothing. What hangs on a tool by
  its name alone (its parked attempts, its rate) is left to its expiry.
]]
local tenant = ARGV[1]
local held = redis.call("ZCARD", inflight_key(tenant))
if held > 0 then return held end
local extras = redis.call("HRANDFIELD", extras_key(tenant), tonumber(ARGV[2]), "WITHVALUES")
for i = 1, #extras, 2 do
  redis.call("ZREM", DELAYED, tenant .. "|" .. extras[i])
  local tool = string.match(extras[i + 1], "^[^|]*|[^|]*|[^|]*|(.*)$")
  if tool and tool ~= "" then redis.call("ZREM", TOOLS_DUE, tenant .. "|" .. tool) end
  redis.call("HDEL", extras_key(tenant), extras[i])
end
local left = redis.call("HLEN", extras_key(tenant))
if left > 0 then return left end
redis.call("ZREM", RING, tenant)
redis.call("ZREM", THROTTLED, tenant)
redis.call("SREM", CAPPED, tenant)
redis.call("UNLINK", backlog_key(tenant), tenant_key(tenant), charges_key(tenant), extras_key(tenant),
  reserved_key(tenant), inflight_key(tenant))
return 0
