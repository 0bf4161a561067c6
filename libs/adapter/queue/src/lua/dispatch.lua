--[[
  Hands out what has become due: delays that passed, rates that allow more, leases that ran out, room that there is.

  ARGV 1  lease of an attempt that is handed out, in ms
  Returns  1: what to hand out now, as `ground/turns.lua` writes it: these hold a slot
           2: 1 when a bound ended the step before all was done: then it is worth calling again at once
           3: in how many ms the next delay or rate is due, -1 for none known
           4: how many workers there are, so that all of them together need not call more often than one

  Guarantees: where it answers 0 there is no room or no tenant has its turn (work conservation); no tenant is above its
  cap or its rate; the tenant with the lowest tag goes first, of equal ones the one with the lowest id.
]]
local at = now()
local out = {}
local more = fill(at, tonumber(ARGV[1]), out)
local next_due = -1
for _, key in ipairs({ THROTTLED, DELAYED, TOOLS_DUE }) do
  local head = redis.call("ZRANGE", key, 0, 0, "WITHSCORES")
  if head[1] then
    local ms = math.max(0, math.ceil(tonumber(head[2]) - at))
    if next_due < 0 or ms < next_due then next_due = ms end
  end
end
return finish({ out, more, next_due, redis.call("ZCARD", WORKERS) })
