--[[
  Reserves slots in a tenant's backlog for executions before their rows are committed.

  ARGV 1    tenant
       2    its limits, as `shared/tenant.lua` reads them
       3    for how long a reservation is kept without an admission, in ms
       4    in how many ms each must have its result
       5    the priority that they will have
       6..  execution ids
  Returns  1: how many of the given, from the first on, have a reservation
           2: why the next one has none: "backlog", "deadline" or ""
           3: how many ms the next one would wait at the least
           4: how many executions the tenant has waiting, those with a reservation included

  Guarantees: in flight and waiting together never pass the cap and the longest backlog, however many ask at once;
  a reservation is kept; on a full Redis it fails: its first write is one that adds. Refused for its deadline is only
  what would wait longer even by a lower bound: what is delayed, parked, of a lower priority or not admitted yet is not
  counted as ahead of it, what runs counts as done, its own run as nothing, and other tenants as absent.

  The bound of what waits ahead in its tenant: r runs in l lanes (its cap, at most the workers' slots) take at the least

    (r m - 2 s sqrt(r + r^2 / n)) / l

  with n, m, s the count, mean and deviation of what its runs took lately: the lower limit of the usual 95 % prediction
  interval for a sum of r further values (Hahn, Meeker 1991, "Statistical intervals"). The more they differ the less it
  says: where s is about m / 2 it is half of the mean, for one long run among many short ones nothing. Few runs that
  were alike are no proof that all are: s is a third of m at the least, and fewer than `KNOWN_MIN` say nothing. It takes what
  waits for like what ran: a tenant that turns to much shorter runs is believed after some of these have ended.
]]
local KNOWN_MIN, DEVIATIONS, DEVIATION_SHARE_MIN = 3, 2, 1 / 3
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
local behind = string.format("(%.0f", (PRIORITY_MAX - priority + 1) * PRIORITY_STEP)
local ahead = backlog > 0 and redis.call("ZCOUNT", backlog_key(tenant), "-inf", behind) or 0

local known, mean, variance = runs_of(state)
local deviation = math.max(math.sqrt(variance * known / math.max(1, known - 1)), mean * DEVIATION_SHARE_MIN)
local slots = nil
local function wait_for_cap()
  local ends = inflight + ahead - limits.cap + 1
  if known < KNOWN_MIN or ends <= 0 then return 0 end
  slots = slots or slots_of_workers(at)
  local lanes = math.max(1, math.min(limits.cap, slots))
  local runs = math.max(0, ends - math.min(lanes, inflight))
  return (runs * mean - DEVIATIONS * deviation * math.sqrt(runs + runs * runs / known)) / lanes
end

local function least_wait()
  local by_rate = (ahead + 1 - limits.burst) * limits.interval + math.max(0, state.tat - at)
  return math.max(0, by_rate, wait_for_cap())
end

local accepted, refused_for = 0, ""
local held = redis.call("ZMSCORE", reserved, unpack(ARGV, 6))
local entries = {}
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
  entries[#entries + 1] = at + kept
  entries[#entries + 1] = ARGV[i]
  accepted = accepted + 1
end
if accepted > 0 then
  redis.call("ZADD", reserved, unpack(entries))
  redis.call("ZREMRANGEBYSCORE", reserved, "-inf", at)
  redis.call("PEXPIRE", reserved, kept)
end
return { accepted, refused_for, math.ceil(least_wait()), waiting }
