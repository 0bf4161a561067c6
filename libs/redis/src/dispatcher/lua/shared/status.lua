--[[
  Shared by all steps, 3 of 7: the one set in which a tenant waits for its turn, and the end of a step.

  A tenant with a backlog is in exactly one of `ring` (its turn comes, by its tag), `throttled` (its rate allows no
  more, until a moment) and `capped` (its slots are all in use); one without is in none.
]]
-- How many of a backlog the tenant's cap and rate allow to start at once.
local function startable_of(state, waiting, inflight, at)
  local limits = state.limits
  local by_rate = math.floor((at - ready_at(math.max(at, state.tat), limits.interval, limits.burst)) / limits.interval) + 1
  return math.max(0, math.min(waiting, limits.cap - inflight, by_rate))
end

-- The field of a tenant's hash about the watched start: since when its limits allow it, and how many starts it is away.
local function watched_text(state)
  return state.left > 0 and string.format("%.0f:%d", state.since, state.left)
end

-- Watches one start of a tenant at a time, the last of those that its limits allow: its wait is the one that the tenant's
-- own limits don't cause. Watching each start would cost a list for each tenant.
local function watch(state, startable, at)
  local left = math.min(state.left, startable)
  if left == 0 then state.since, left = at, startable end
  state.left = left
end

-- The set that a tenant belongs to, false for none, and when its rate allows a start.
local function status_of(tenant, at)
  local state = load_tenant(tenant)
  local free_at = ready_at(state.tat, state.limits.interval, state.limits.burst)
  if waiting_of(tenant) == 0 then return false, free_at end
  return running_of(tenant) >= state.limits.cap and "capped" or free_at > at and "throttled" or "ring", free_at
end

-- Moves a tenant into the set it belongs to. A tenant that enters the ring starts at the virtual time at the least:
-- neither idling nor waiting for a cap or a rate earns credit; debts stay.
local function update_status(tenant, at)
  local state = load_tenant(tenant)
  local before = state.place
  local status, free_at = status_of(tenant, at)
  if before == "ring" and status ~= "ring" then redis.call("ZREM", RING, tenant) end
  if before == "throttled" and status ~= "throttled" then redis.call("ZREM", THROTTLED, tenant) end
  if before == "capped" and status ~= "capped" then redis.call("SREM", CAPPED, tenant) end
  if status == "capped" then
    redis.call("SADD", touch(CAPPED), tenant)
  elseif status == "throttled" then
    redis.call("ZADD", touch(THROTTLED), free_at, tenant)
  elseif status == "ring" then
    if before ~= "ring" and virtual() > state.tag then set(state, "tag", virtual()) end
    redis.call("ZADD", touch(RING), state.tag, tenant)
  end
  state.place = status
  watch(state, status == "ring" and startable_of(state, waiting_of(tenant), running_of(tenant), at) or 0, at)
end

local function update_changed(at)
  for tenant in pairs(changed) do update_status(tenant, at) end
  changed = {}
end

local function save_tenant(tenant, state)
  local kept, dropped = {}, {}
  if state.place ~= state.held_place then state.unsaved.place = state.place end
  local watched = watched_text(state)
  if watched ~= state.watched then state.unsaved.watched = watched end
  for field, value in pairs(state.unsaved) do
    if value then
      kept[#kept + 1] = field
      kept[#kept + 1] = value
    else
      dropped[#dropped + 1] = field
    end
  end
  if #kept > 0 then redis.call("HSET", touch(tenant_key(tenant)), unpack(kept)) end
  if #dropped > 0 then redis.call("HDEL", tenant_key(tenant), unpack(dropped)) end
end

-- Ends a step that may have written: it stores the tenants' states, and gives every written key an expiry.
local function finish(reply)
  for tenant, state in pairs(tenants) do save_tenant(tenant, state) end
  if virtual_moved then redis.call("SET", VIRTUAL, virtual_time, "EX", KEPT_S) end
  for key in pairs(touched) do redis.call("EXPIRE", key, KEPT_S) end
  return reply
end
