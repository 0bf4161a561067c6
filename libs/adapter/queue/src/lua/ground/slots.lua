--[[
  The ground, 5 of 6: slots in use. Each is a lease, which frees itself; its charge is what its tag was moved by.
]]
-- Takes or prolongs a slot. The expiry of what is in flight is set by the first of a tenant and renewed by whoever
-- prolongs; that of `leases` is the caller's business.
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

-- Frees slots whose lease ran out; their charges stay charged. They are counted until a reap tells of them.
local function lapse(at)
  local leases = due(LEASES, at)
  for _, lease in ipairs(leases) do
    local tenant, attempt = halves(lease)
    if not free(tenant, attempt, extras_of(tenant, attempt), at) then redis.call("ZREM", LEASES, lease) end
  end
  if #leases > 0 then redis.call("INCRBY", touch(LAPSED), #leases) end
  return #leases == DUE_MAX
end

-- Corrects the tag of a tenant by what an attempt really used, its mean, and the least it used lately.
local function settle_charge(tenant, charge, used)
  local state = load_tenant(tenant)
  set(state, "tag", state.tag + (used - charge) / state.limits.weight)
  local mean = state.mean + (used - state.mean) * MEAN_SHARE
  set(state, "mean", math.min(MEAN_MAX, math.max(MEAN_MIN, mean)))
  set(state, "least", math.min(state.least * LEAST_GROWTH, used))
  set(state, "known", state.known + 1)
end
