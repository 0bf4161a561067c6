--[[
  Hands out due attempts: after delays that passed, rates that allow more, leases that ran out, into free slots.

  ARGV 1  lease of an attempt that is handed out, in ms
  Returns  1: 1 when a bound ended the step before all was done: then it is worth calling again at once
           2: in how many ms the next delay or rate is due, -1 for none known
           3: how many workers there are, so that all of them together need not call more often than one

  Guarantees: if it answers 0 there is no slot for the tenant that has its turn, or none has (work conservation); no
  tenant is above its cap or its rate; the tenant with the lowest tag goes first, of equal ones the one with the lowest id;
  only beside saturated workers one of the first few that holds no slot may go before it.
]]
local at = now()
local more = fill(at, tonumber(ARGV[1]))
local next_due = -1
for _, key in ipairs({ THROTTLED, DELAYED, TOOLS_DUE }) do
  local head = redis.call("ZRANGE", key, 0, 0, "WITHSCORES")
  if head[1] then
    local ms = math.max(0, math.ceil(tonumber(head[2]) - at))
    if next_due < 0 or ms < next_due then next_due = ms end
  end
end
return finish({ more, next_due, redis.call("ZCARD", WORKERS) })
