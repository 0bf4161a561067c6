--[[
  Gives executions places in their tenant's backlog before their rows are committed.

  ARGV 1    tenant
       2    its limits, as `ground/tenant.lua` reads them
       3    for how long a place is kept without an admission, in ms
       4    in how many ms each must have its result
       5    the priority that they will have
       6..  execution ids
  Returns  1: how many of the given, from the first on, have a place
           2: why the next one has none: "backlog", "deadline" or ""
           3: how many ms the next one would wait at the least
           4: how many executions the tenant has waiting, those with a place included

  Guarantees: in flight and waiting together never pass the cap and the longest backlog, however many ask at once;
  who has a place keeps it; what could end in time is not refused for its deadline: what is delayed, parked, of a lower
  priority or not admitted yet is not counted as ahead of it, and used time counts only once `KNOWN_MIN` releases told it, and then as half of the least lately: what waits may be shorter. On a full Redis it
  fails: its first write is one that adds.
]]
local KNOWN_MIN = 10
local at = now()
local tenant, kept, timeout, priority = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local reserved = reserved_key(tenant)
local state = load_tenant(tenant)
-- They count here at once where they are newer, and are held from the admission on.
local limits = parse_limits(ARGV[2])
if state.limits.as_of > limits.as_of then limits = state.limits end
local inflight = redis.call("ZCARD", inflight_key(tenant))
local backlog = redis.call("ZCARD", backlog_key(tenant))
local waiting = backlog + redis.call("ZCOUNT", reserved, at, "+inf")
  + state.delayed + state.parked
local behind = string.format("(%.0f", (PRIORITY_MAX - priority + 1) * SEQUENCE_MAX)
local ahead = backlog > 0 and redis.call("ZCOUNT", backlog_key(tenant), "-inf", behind) or 0

local slots = nil
local function least_wait()
  local by_rate = (ahead + 1 - limits.burst) * limits.interval + math.max(0, state.tat - at)
  local by_cap = 0
  if state.known >= KNOWN_MIN and inflight + ahead >= limits.cap then
    slots = slots or slots_of_workers(at)
    by_cap = (inflight + ahead - limits.cap + 1) * state.least / 2 / math.min(limits.cap, math.max(1, slots))
  end
  return math.max(0, by_rate, by_cap)
end

local accepted, refused_for = 0, ""
local held = redis.call("ZMSCORE", reserved, unpack(ARGV, 6))
local places = {}
for i = 6, #ARGV do
  if tonumber(held[i - 5] or 0) < at then
    if inflight + waiting >= limits.cap + limits.queued then
      refused_for = "backlog"
    elseif least_wait() > timeout then
      refused_for = "deadline"
    end
    if refused_for ~= "" then break end
    ahead, waiting = ahead + 1, waiting + 1
  end
  places[#places + 1] = at + kept
  places[#places + 1] = ARGV[i]
  accepted = accepted + 1
end
if accepted > 0 then
  redis.call("ZADD", reserved, unpack(places))
  redis.call("ZREMRANGEBYSCORE", reserved, "-inf", at)
  redis.call("PEXPIRE", reserved, kept)
end
return { accepted, refused_for, math.ceil(least_wait()), waiting }
