--[[
  The ground, 4 of 5: slots in use. Each is a lease, which frees itself; its charge is what its tag was moved by.
]]
-- Takes or prolongs a slot.
local function hold(tenant, attempt, deadline)
  redis.call("ZADD", touch(inflight_key(tenant)), deadline, attempt)
  redis.call("ZADD", touch(LEASES), deadline, tenant .. "|" .. attempt)
end

-- Frees a slot with all that hangs on it; answers the charge, if any.
local function free(tenant, attempt, extras, at)
  redis.call("ZREM", inflight_key(tenant), attempt)
  redis.call("ZREM", LEASES, tenant .. "|" .. attempt)
  local charge = redis.call("HGET", charges_key(tenant), attempt)
  redis.call("HDEL", charges_key(tenant), attempt)
  if extras then
    redis.call("HDEL", extras_key(tenant), attempt)
    if extras.tool then
      redis.call("SREM", tool_inflight_key(tenant, extras.tool), attempt)
      unpark(tenant, extras.tool, at)
    end
  end
  changed[tenant] = true
  return tonumber(charge or nil)
end

-- Frees slots whose lease ran out; their charges stay charged. They are counted until a reap tells of them.
local function lapse(at)
  local leases = due(LEASES, at)
  for _, lease in ipairs(leases) do
    local tenant, attempt = halves(lease)
    free(tenant, attempt, extras_of(tenant, attempt), at)
  end
  if #leases > 0 then redis.call("INCRBY", touch(LAPSED), #leases) end
  return #leases == DUE_MAX
end

-- Corrects the tag of a tenant by what an attempt really used, its mean, and the least it used lately.
local function settle_charge(tenant, charge, used)
  local state = load_tenant(tenant)
  state.tag = state.tag + (used - charge) / state.limits.weight
  local mean = state.mean + (used - state.mean) * MEAN_SHARE
  save_tenant(tenant, "tag", state.tag, "mean", math.min(MEAN_MAX, math.max(MEAN_MIN, mean)),
    "least", math.min(state.least * LEAST_GROWTH, used), "known", state.known + 1)
  if redis.call("ZSCORE", RING, tenant) then redis.call("ZADD", RING, state.tag, tenant) end
end

local function drop_worker(worker)
  local slots = tonumber(redis.call("HGET", SLOTS, worker) or 0)
  redis.call("ZREM", WORKERS, worker)
  if redis.call("HDEL", SLOTS, worker) == 1 then redis.call("DECRBY", SLOTS_TOTAL, slots) end
end

-- Slots of the workers that count at present.
local function slots_of_workers(at)
  for _, worker in ipairs(due(WORKERS, at)) do drop_worker(worker) end
  return tonumber(redis.call("GET", SLOTS_TOTAL) or 0)
end
