--[[
  Shared by all steps, 1 of 7: the keys, the clock, what keeps keys alive, and the workers' slots. The files of
  this folder are prepended to each step in the order keys, tenant, status, tools, slots, ready, turns (to some the first of
  them alone, see `steps.ts`): what they define is made anew in every call, which is a good part of what a call costs.

  KEYS 1  the shard's base, `{bh:<shard>}`. All keys are derived from it, so its hash tag keeps a step on one node
          of a cluster, and a step may touch tenants that it only learns of while it runs. The README lists the keys.

  An attempt is `<execution id>-<attempt>`, which is its BullMQ job id too. Times are whole milliseconds of Redis's
  clock: a fraction would be written and read again, digit by digit, in every score.
]]
local base = KEYS[1]
local RING, THROTTLED, CAPPED = base .. ":ring", base .. ":throttled", base .. ":capped"
local LEASES, LAPSED, DELAYED, TOOLS_DUE = base .. ":leases", base .. ":lapsed", base .. ":delayed", base .. ":tools-due"
local VIRTUAL = base .. ":virtual-time"
local WORKERS, SLOTS, SLOTS_TOTAL = base .. ":workers", base .. ":slots", base .. ":slots-total"
local CAPACITY, CAPACITY_TOTAL = base .. ":capacity", base .. ":capacity-total"

-- Longer than the longest delay (7 days): a waiting attempt outlives its wait, and nothing stays for ever.
local KEPT_S = 8 * 86400
-- At most so many due entries of each kind (delays, rates, tools, leases) are handled in one step; the next step takes the
-- rest.
local DUE_MAX = 50

local function backlog_key(tenant) return base .. ":backlog:" .. tenant end
local function inflight_key(tenant) return base .. ":inflight:" .. tenant end
local function tenant_key(tenant) return base .. ":tenant:" .. tenant end
local function charges_key(tenant) return base .. ":charges:" .. tenant end
local function extras_key(tenant) return base .. ":extras:" .. tenant end
local function reserved_key(tenant) return base .. ":reserved:" .. tenant end
local function parked_key(tenant, tool) return base .. ":parked:" .. tenant .. "|" .. tool end
local function tool_inflight_key(tenant, tool) return base .. ":tool-inflight:" .. tenant .. "|" .. tool end
local function tool_tat_key(tenant, tool) return base .. ":tool-tat:" .. tenant .. "|" .. tool end
local function job_key(attempt) return base .. ":ready:" .. attempt end

local function now()
  local time = redis.call("TIME")
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- A step touches each key that it may create, and returns through `finish` (`status.lua`): so each key has an expiry.
local touched = {}
local function touch(key)
  touched[key] = true
  return key
end

-- `<a>|<b>`, the first part without a bar.
local function halves(text)
  return string.match(text, "^([^|]*)|(.*)$")
end

-- The members of a set of deadlines that are due, at most `DUE_MAX`.
local function due(key, at)
  return redis.call("ZRANGEBYSCORE", key, "-inf", at, "LIMIT", 0, DUE_MAX)
end

local function drop_worker(worker)
  redis.call("ZREM", WORKERS, worker)
  for counted, total in pairs({ [SLOTS] = SLOTS_TOTAL, [CAPACITY] = CAPACITY_TOTAL }) do
    local said = tonumber(redis.call("HGET", counted, worker) or 0)
    if redis.call("HDEL", counted, worker) == 1 then redis.call("DECRBY", total, said) end
  end
end

-- Slots of the workers that count at present.
local function slots_of_workers(at)
  for _, worker in ipairs(due(WORKERS, at)) do drop_worker(worker) end
  return tonumber(redis.call("GET", SLOTS_TOTAL) or 0)
end
