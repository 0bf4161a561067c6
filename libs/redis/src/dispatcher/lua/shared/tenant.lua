--[[
  Shared by all steps, 2 of 7: what a step knows of a tenant: its limits, its rate (GCRA), its start tag, what waits and runs.

  A step reads a tenant once and writes it once, at its end (`status.lua`): what happens in between costs no command.
]]
-- A tenant's mean of used ms: where it starts, its bounds, and the share of each new value.
local MEAN_START, MEAN_MIN, MEAN_MAX, MEAN_SHARE = 50, 1, 3600000, 1 / 8
-- Tenants whose status this step may have changed; `fill` updates it before it reads the ring.
local changed = {}
-- Never needed, since every tenant with a backlog was given limits; one slot would still empty it.
local LIMITS_UNKNOWN = "0:1:0:1:1:1"

-- Scores are priority first, then a moment in ms: exact in a double up to 2^53. Workers of older versions counted up from
-- 1 instead: their waiting attempts go first.
local PRIORITY_STEP = 2 ^ 49
local PRIORITY_MAX = 9

-- as of, cap, longest backlog, dispatches per second, burst, weight
local function parse_limits(text)
  local as_of, cap, queued, rate, burst, weight = string.match(text, "^([^:]+):([^:]+):([^:]+):([^:]+):([^:]+):([^:]+)$")
  return {
    as_of = tonumber(as_of), cap = tonumber(cap), queued = tonumber(queued),
    rate = tonumber(rate), burst = tonumber(burst), weight = tonumber(weight),
    interval = 1000 / tonumber(rate),
  }
end

-- Keyed by tenant. `given` is the text of its limits; `place` is the tenant's status: "ring", "throttled", "capped" or
-- false; `waiting` and `running` count its backlog and its attempts in flight; `unsaved` holds the changed fields of its
-- hash, false for a field to delete.
local tenants = {}
local function load_tenant(tenant)
  if tenants[tenant] then return tenants[tenant] end
  local held = redis.call("HMGET", tenant_key(tenant),
    "limits", "tag", "tat", "mean", "runs", "delayed", "parked", "watched", "place")
  local since, left = string.match(held[8] or "", "^(%d+):(%d+)$")
  local state = {
    given = held[1], limits = parse_limits(held[1] or LIMITS_UNKNOWN),
    tag = tonumber(held[2] or 0), tat = tonumber(held[3] or 0),
    mean = tonumber(held[4] or MEAN_START), runs = held[5],
    delayed = tonumber(held[6] or 0), parked = tonumber(held[7] or 0),
    since = tonumber(since or 0), left = tonumber(left or 0), watched = held[8],
    place = held[9], held_place = held[9], unsaved = {},
  }
  tenants[tenant] = state
  return state
end

local function set(state, field, value)
  state[field] = value
  state.unsaved[field] = value
end

-- Statistics of a tenant's recent runs, for `reserve`: their effective count, mean and variance, in ms. They are kept
-- apart from the mean that is charged, which starts at a guess.
local function runs_of(state)
  local count, mean, variance = string.match(state.runs or "", "^(%d+):([^:]+):([^:]+)$")
  return tonumber(count or 0), tonumber(mean or 0), tonumber(variance or 0)
end

local function waiting_of(tenant)
  local state = load_tenant(tenant)
  state.waiting = state.waiting or redis.call("ZCARD", backlog_key(tenant))
  return state.waiting
end

local function running_of(tenant)
  local state = load_tenant(tenant)
  state.running = state.running or redis.call("ZCARD", inflight_key(tenant))
  return state.running
end

-- Nil as long as nobody has asked for the number: then it is counted when somebody does.
local function plus(number, change)
  return number and number + change
end

-- Puts attempts into a backlog, given as scores and attempts in turns.
local function into_backlog(tenant, ...)
  local state = load_tenant(tenant)
  state.waiting = plus(state.waiting, redis.call("ZADD", touch(backlog_key(tenant)), ...))
  changed[tenant] = true
end

-- Answers whether it was there.
local function out_of_backlog(tenant, attempt)
  if redis.call("ZREM", backlog_key(tenant), attempt) == 0 then return false end
  local state = load_tenant(tenant)
  state.waiting = plus(state.waiting, -1)
  if state.waiting == 0 then touched[backlog_key(tenant)] = nil end
  changed[tenant] = true
  return true
end

-- Counts attempts that wait outside the backlog; a zero is not stored.
local function count(tenant, field, change)
  local state = load_tenant(tenant)
  state[field] = math.max(0, state[field] + change)
  state.unsaved[field] = state[field] > 0 and state[field]
end

-- The start tag of the last tenant that was handed out; it only moves forward.
local virtual_time, virtual_moved = nil, false
local function virtual()
  virtual_time = virtual_time or tonumber(redis.call("GET", VIRTUAL) or 0)
  return virtual_time
end
local function move_virtual(tag)
  if tag > virtual() then virtual_time, virtual_moved = tag, true end
end

-- GCRA: when the next dispatch may be, given the `tat` of the last; `interval` ms apart, `burst` of them at once.
local function ready_at(tat, interval, burst)
  return tat - (burst - 1) * interval
end

-- Writes limits unless newer ones are stored. Starts that the rate has already granted stay granted at the new rate.
local function take_limits(tenant, text, at)
  local state = load_tenant(tenant)
  if state.given == text then return end
  local new = parse_limits(text)
  if state.given then
    if state.limits.as_of > new.as_of then return end
    local debt = math.max(0, state.tat - at) * new.interval / state.limits.interval
    set(state, "tat", at + math.min(debt, new.burst * new.interval))
  end
  state.given, state.limits, state.unsaved.limits = text, new, text
  changed[tenant] = true
end
