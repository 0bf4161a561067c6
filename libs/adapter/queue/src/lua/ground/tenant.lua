--[[
  The ground, 2 of 5: a tenant's limits, its rate (GCRA), its start tag, and the one place where it waits for its turn.

  A tenant with a backlog is in exactly one of `ring` (its turn comes, by its tag), `throttled` (its rate allows no
  more, until a moment) and `capped` (its slots are all in use); one without is in none.
]]
-- A tenant's mean of used ms: where it starts, its bounds, and the share of each new value.
local MEAN_START, MEAN_MIN, MEAN_MAX, MEAN_SHARE = 50, 1, 3600000, 1 / 8
-- By how much the least of what was used grows with each release: what was short long ago is forgotten.
local LEAST_GROWTH = 1.02
-- Tenants of which this step changed something that decides their place; `fill` seats them before it looks at the ring.
local changed = {}
-- Can't be needed, since whoever has a backlog was given limits; one slot would still empty it.
local LIMITS_UNKNOWN = "0:1:0:1:1:1"

-- as of, cap, longest backlog, dispatches per second, burst, weight
local function parse_limits(text)
  local as_of, cap, queued, rate, burst, weight = string.match(text, "^([^:]+):([^:]+):([^:]+):([^:]+):([^:]+):([^:]+)$")
  return {
    as_of = tonumber(as_of), cap = tonumber(cap), queued = tonumber(queued),
    rate = tonumber(rate), burst = tonumber(burst), weight = tonumber(weight),
    interval = 1000 / tonumber(rate),
  }
end

local function load_tenant(tenant)
  local held = redis.call("HMGET", tenant_key(tenant), "limits", "tag", "tat", "mean", "known", "delayed", "parked", "least")
  return {
    limits = parse_limits(held[1] or LIMITS_UNKNOWN), tag = tonumber(held[2] or 0), tat = tonumber(held[3] or 0),
    mean = tonumber(held[4] or MEAN_START), known = tonumber(held[5] or 0),
    delayed = tonumber(held[6] or 0), parked = tonumber(held[7] or 0), least = tonumber(held[8] or MEAN_MAX),
  }
end

local function save_tenant(tenant, ...)
  redis.call("HSET", touch(tenant_key(tenant)), ...)
end

-- Counts what waits outside the backlog; a zero is not kept.
local function count(tenant, field, change)
  if redis.call("HINCRBY", touch(tenant_key(tenant)), field, change) <= 0 then
    redis.call("HDEL", tenant_key(tenant), field)
  end
end

-- GCRA: when the next dispatch may be, given the `tat` of the last; `interval` ms apart, `burst` of them at once.
local function ready_at(tat, interval, burst)
  return tat - (burst - 1) * interval
end

-- Writes limits unless newer ones are held. What the rate had already given away stays given away at the new rate.
local function take_limits(tenant, text, at)
  local held = redis.call("HMGET", tenant_key(tenant), "limits", "tat")
  if held[1] == text then return end
  local new = parse_limits(text)
  if held[1] then
    local old = parse_limits(held[1])
    if old.as_of > new.as_of then return end
    local debt = math.max(0, tonumber(held[2] or 0) - at) * new.interval / old.interval
    save_tenant(tenant, "tat", at + math.min(debt, new.burst * new.interval))
  end
  save_tenant(tenant, "limits", text)
  changed[tenant] = true
end

-- Puts a tenant where it belongs. Who enters the ring starts at the virtual time at the least: neither idling nor
-- waiting for a cap or a rate earns credit; debts stay.
local function seat(tenant, state, at)
  local place = nil
  if redis.call("EXISTS", backlog_key(tenant)) == 1 then
    local limits = state.limits
    if redis.call("ZCARD", inflight_key(tenant)) >= limits.cap then
      place = CAPPED
    elseif ready_at(state.tat, limits.interval, limits.burst) > at then
      place = THROTTLED
    else
      place = RING
    end
  end
  if place ~= RING then redis.call("ZREM", RING, tenant) end
  if place ~= THROTTLED then redis.call("ZREM", THROTTLED, tenant) end
  if place ~= CAPPED then redis.call("SREM", CAPPED, tenant) end
  if place == CAPPED then
    redis.call("SADD", touch(CAPPED), tenant)
  elseif place == THROTTLED then
    redis.call("ZADD", touch(THROTTLED), ready_at(state.tat, state.limits.interval, state.limits.burst), tenant)
  elseif place == RING then
    if not redis.call("ZSCORE", RING, tenant) then
      state.tag = math.max(state.tag, tonumber(redis.call("GET", VIRTUAL) or 0))
      save_tenant(tenant, "tag", state.tag)
    end
    redis.call("ZADD", touch(RING), state.tag, tenant)
  end
end

local function seat_changed(at)
  for tenant in pairs(changed) do seat(tenant, load_tenant(tenant), at) end
  changed = {}
end
