--[[
  Tells which attempts would never be handed out: neither a backlog nor BullMQ holds them.

  ARGV 1    lease of an attempt that is handed out, in ms
       2..  pairs: tenant, attempt
  Returns  the positions of the missing ones among the given, counted from 0.

  Guarantees: a slot alone does not count, since its holder may have died before it handed the attempt out; a slot whose
  attempt waits in BullMQ is prolonged, so that a long wait frees nothing that is still needed.
]]
local deadline = now() + tonumber(ARGV[1])
local out = {}
for i = 2, #ARGV, 2 do
  local tenant, attempt = ARGV[i], ARGV[i + 1]
  if not redis.call("ZSCORE", backlog(tenant), attempt) then
    if redis.call("EXISTS", job(attempt)) == 0 then
      out[#out + 1] = (i - 2) / 2
    elseif redis.call("ZSCORE", inflight(tenant), attempt) then
      hold(tenant, attempt, deadline)
    end
  end
end
return out
