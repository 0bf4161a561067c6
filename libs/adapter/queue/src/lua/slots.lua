--[[
  The ground under every step: prepended to each file of this folder when it is loaded, never run by itself.

  KEYS 1  the shard's base, `{bh:<shard>}`. All keys are derived from it, so its hash tag keeps a step on one node
          of a cluster, and a step may touch tenants that it only learns of while it runs.

    <base>:inflight:<tenant>  ZSET  attempt -> deadline of its lease: the slots in use
    <base>:backlog:<tenant>   ZSET  attempt -> sequence: first in, first out
    <base>:leases             ZSET  <tenant>|<attempt> -> deadline: every slot in use, for one range query
    <base>:waiting            ZSET  tenant -> when it was last looked at: the tenants that have a backlog
    <base>:caps               HASH  tenant -> the cap last given; a field for each tenant, kept
    <base>:sequence           STRING  the last sequence given
    <base>:ready:*            BullMQ's

  An attempt is `<execution id>-<attempt>`, which is its BullMQ job id too. Times are milliseconds of Redis's clock.
]]
local base = KEYS[1]
local LEASES, WAITING, CAPS, SEQUENCE = base .. ":leases", base .. ":waiting", base .. ":caps", base .. ":sequence"
-- Slots that one step fills for one tenant: keeps a step short when a cap was raised; the reap fills the rest.
local FILL_MAX = 500

local function inflight(tenant) return base .. ":inflight:" .. tenant end
local function backlog(tenant) return base .. ":backlog:" .. tenant end
local function job(attempt) return base .. ":ready:" .. attempt end

local function now()
  local time = redis.call("TIME")
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Takes or prolongs a slot.
local function hold(tenant, attempt, deadline)
  redis.call("ZADD", inflight(tenant), deadline, attempt)
  redis.call("ZADD", LEASES, deadline, tenant .. "|" .. attempt)
end

-- Frees slots whose lease ran out. Their entries in `leases` stay for the reap, which counts them.
local function drop_expired(tenant, at)
  redis.call("ZREMRANGEBYSCORE", inflight(tenant), "-inf", at)
end

-- A tenant whose backlog is empty need not be looked at any more.
local function settle(tenant)
  if redis.call("EXISTS", backlog(tenant)) == 0 then redis.call("ZREM", WAITING, tenant) end
end

-- Gives free slots to the head of the backlog and adds `<tenant>|<attempt>` to `out` for each.
local function fill(tenant, deadline, out)
  if redis.call("EXISTS", backlog(tenant)) == 0 then return end
  -- A backlog without a cap can't come to be; 1 would still empty it.
  local cap = tonumber(redis.call("HGET", CAPS, tenant) or "1")
  local free = math.min(cap - redis.call("ZCARD", inflight(tenant)), FILL_MAX)
  if free < 1 then return end
  local head = redis.call("ZPOPMIN", backlog(tenant), free)
  for i = 1, #head, 2 do
    hold(tenant, head[i], deadline)
    out[#out + 1] = tenant .. "|" .. head[i]
  end
  settle(tenant)
end
