--[[
  Shared by all steps, 5 of 7: slots in use. Each is a lease, which frees itself; its charge is what its tag was moved by.
]]
-- Takes or prolongs a slot. The first attempt of a tenant sets the key's expiry, and prolonging renews it; the caller sets
-- that of `leases`.
local function hold(tenant, attempt, deadline)
  local state = load_tenant(tenant)
  local key = inflight_key(tenant)
  if (state.running or 0) == 0 then touch(key) end
  state.running = plus(state.running, redis.call("ZADD", key, deadline, attempt))
  redis.call("ZADD", LEASES, deadline, tenant .. "|" .. attempt)
end

-- Frees a slot with all that hangs on it. Answers whether it was held, and its charge, if any.
local function free(tenant, attempt, extras, at)
  if redis.call("ZREM", inflight_key(tenant), attempt) == 0 then return false end
  local state = load_tenant(tenant)
  state.running = plus(state.running, -1)
  redis.call("ZREM", LEASES, tenant .. "|" .. attempt)
  local charge = redis.call("HGET", charges_key(tenant), attempt)
  if charge then redis.call("HDEL", charges_key(tenant), attempt) end
  if extras then
    redis.call("HDEL", extras_key(tenant), attempt)
    if extras.tool then
      redis.call("SREM", tool_inflight_key(tenant, extras.tool), attempt)
      unpark(tenant, extras.tool, at)
    end
  end
  changed[tenant] = true
  return true, tonumber(charge or nil)
end

-- Frees slots whose lease ran out; their charges stay charged. They are counted until a reap reports them.
local function lapse(at)
  local leases = due(LEASES, at)
  for _, lease in ipairs(leases) do
    local tenant, attempt = halves(lease)
    if not free(tenant, attempt, extras_of(tenant, attempt), at) then redis.call("ZREM", LEASES, lease) end
  end
  if #leases > 0 then redis.call("INCRBY", touch(LAPSED), #leases) end
  return #leases == DUE_MAX
end

-- Mean and variance of the time that runs took, exact for the first 8 (Welford 1962) and then weighted, each newer one by
-- an eighth (Finch 2009, "Incremental calculation of weighted mean and variance"), which equals (2 - 1/8) / (1/8) = 15
-- runs.
local RUNS_MAX, RUN_SHARE = 15, 1 / 8
local function learn_run(state, used)
  local count, mean, variance = runs_of(state)
  count = math.min(count + 1, RUNS_MAX)
  local share = math.max(1 / count, RUN_SHARE)
  local off = used - mean
  set(state, "runs", string.format("%d:%.3f:%.3f", count, mean + share * off, (1 - share) * (variance + share * off * off)))
end

-- Corrects the tag of a tenant by an attempt's real usage, and updates the statistics of its runs.
local function settle_charge(tenant, charge, used)
  local state = load_tenant(tenant)
  set(state, "tag", state.tag + (used - charge) / state.limits.weight)
  local mean = state.mean + (used - state.mean) * MEAN_SHARE
  set(state, "mean", math.min(MEAN_MAX, math.max(MEAN_MIN, mean)))
  learn_run(state, used)
end
