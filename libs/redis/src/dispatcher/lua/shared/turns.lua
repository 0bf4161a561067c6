--[[
  Shared by all steps, 7 of 7: whose turn it is (start-time fair queueing: Goyal, Vin, Cheng 1997).
]]
-- Handed out in one step, and looks at the ring in one step, those that only park an attempt or move a tenant included.
local HAND_OUT_MAX, TURNS_MAX = 100, 300
-- Slots that are handed out for each slot of a live worker: so much is ready for when one becomes free.
local READY_SHARE = 1.25
-- So many tenants are searched for one that holds no slot.
local FIRSTS_MAX = 8

-- Moves due entries: delays to backlogs, tenants to the ring, attempts of tools to backlogs. Answers whether more is due.
local function ripen(at)
  local more = lapse(at)
  if redis.call("EXISTS", DELAYED, THROTTLED, TOOLS_DUE) == 0 then return more end
  local delayed = redis.call("ZRANGEBYSCORE", DELAYED, "-inf", at, "LIMIT", 0, DUE_MAX, "WITHSCORES")
  local throttled, tools = due(THROTTLED, at), due(TOOLS_DUE, at)
  for i = 1, #delayed, 2 do
    local member = delayed[i]
    redis.call("ZREM", DELAYED, member)
    local tenant, attempt = halves(member)
    local extras = extras_of(tenant, attempt)
    count(tenant, "delayed", -1)
    -- Without its extras its position is unknown: then it is missing, and the sweep admits it again.
    if extras then
      enqueue(tenant, attempt, score_after_delay(extras.priority, attempt, tonumber(delayed[i + 1])), extras)
    end
  end
  for _, tenant in ipairs(throttled) do
    load_tenant(tenant).place = "throttled"
    changed[tenant] = true
  end
  for _, member in ipairs(tools) do
    local tenant, tool = halves(member)
    unpark(tenant, tool, at)
  end
  return more or #delayed == 2 * DUE_MAX or #throttled == DUE_MAX or #tools == DUE_MAX
end

-- A tenant's turn, which goes to the lowest tag except for firsts: hands out its first attempt, or parks that.
local function turn(tenant, at, deadline)
  local state = load_tenant(tenant)
  -- The tenant was found in the ring, whatever its hash says (a worker of an older version writes no place): it leaves the
  -- ring when it has no turn there.
  state.place = "ring"
  local head = redis.call("ZRANGE", backlog_key(tenant), 0, 0, "WITHSCORES")
  local attempt = head[1]
  if not attempt or status_of(tenant, at) ~= "ring" then return update_status(tenant, at) end
  local extras = extras_of(tenant, attempt)
  local closed = extras and extras.tool and tool_closed(tenant, extras, 0, at)
  if closed then
    park(tenant, attempt, head[2], extras, closed)
    out_of_backlog(tenant, attempt)
    return update_status(tenant, at)
  end
  -- Writes that add come before those that remove: a full Redis then refuses the step whole.
  hold(tenant, attempt, deadline)
  out_of_backlog(tenant, attempt)
  if extras and extras.tool then tool_starts(tenant, attempt, extras, at) end
  hand_out(tenant, attempt, at, state.left == 1 and math.max(0, at - state.since) or nil)
  state.left = math.max(0, state.left - 1)
  move_virtual(state.tag)
  set(state, "tag", state.tag + state.mean / state.limits.weight)
  set(state, "tat", math.max(at, state.tat) + state.limits.interval)
  redis.call("HSET", touch(charges_key(tenant)), attempt, state.mean)
  update_status(tenant, at)
end

-- The number of attempts that may be in flight for so many slots of workers.
local function reach_of(slots)
  return math.ceil(slots * READY_SHARE)
end

-- Finds a tenant that may start although saturated workers offer fewer slots than are held: among the first few in the
-- ring, the one that holds no slot and has had no more than others (its tag is not past the virtual time). So a flooding
-- tenant gets no more slots, and an occasional caller does not wait until the flood has ended.
local function first_without_slot(slots, inflight)
  if slots == 0 or inflight >= reach_of(tonumber(redis.call("GET", CAPACITY_TOTAL) or 0)) then return nil end
  local ring = redis.call("ZRANGE", RING, 0, FIRSTS_MAX - 1, "WITHSCORES")
  for i = 1, #ring, 2 do
    if tonumber(ring[i + 1]) > virtual() then return nil end
    if redis.call("ZCARD", inflight_key(ring[i])) == 0 then return ring[i] end
  end
end

-- Hands attempts out while slots are free and a tenant has its turn; answers 1 when a bound ended it before that.
local function fill(at, lease)
  local more = ripen(at)
  update_changed(at)
  local leases = redis.call("ZCARD", LEASES)
  local slots = slots_of_workers(at)
  local free_slots = reach_of(slots) - leases
  local before = handed_out
  if leases == 0 and free_slots > 0 then touch(LEASES) end
  for _ = 1, TURNS_MAX do
    local given = handed_out - before
    if given >= HAND_OUT_MAX then return 1 end
    local tenant
    if given < free_slots then
      tenant = redis.call("ZRANGE", RING, 0, 0)[1]
      if not tenant then touched[RING] = nil end
    else
      tenant = first_without_slot(slots, leases + given)
    end
    if not tenant then return more and 1 or 0 end
    turn(tenant, at, at + lease)
  end
  return 1
end
