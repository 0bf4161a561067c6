--[[
  The ground under every step, 1 of 5: the keys, the clock, and what keeps keys alive. The files of this folder are
  prepended to each step in the order keys, tenant, tools, slots, turns; none runs by itself.

  KEYS 1  the shard's base, `{bh:<shard>}`. All keys are derived from it, so its hash tag keeps a step on one node
          of a cluster, and a step may touch tenants that it only learns of while it runs. The README lists the keys.

  An attempt is `<execution id>-<attempt>`, which is its BullMQ job id too. Times are milliseconds of Redis's clock.
]]
local base = KEYS[1]
local RING, THROTTLED, CAPPED = base .. ":ring", base .. ":throttled", base .. ":capped"
local LEASES, LAPSED, DELAYED, TOOLS_DUE = base .. ":leases", base .. ":lapsed", base .. ":delayed", base .. ":tools-due"
local VIRTUAL, SEQUENCE = base .. ":virtual-time", base .. ":sequence"
local WORKERS, SLOTS, SLOTS_TOTAL = base .. ":workers", base .. ":slots", base .. ":slots-total"

-- Longer than the longest delay (7 days): what waits outlives its wait, and nothing stays for ever.
local KEPT_S = 8 * 86400
-- Of what has become due (delays, rates, tools, leases), so many of each in one step; the rest is the next step's.
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
  return tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
end

-- Everything written goes through `touch`, and every step returns through `finish`: so each key has an expiry.
local touched = {}
local function touch(key)
  touched[key] = true
  return key
end
local function finish(reply)
  for key in pairs(touched) do redis.call("EXPIRE", key, KEPT_S) end
  return reply
end

-- `<a>|<b>`, the first part without a bar.
local function halves(text)
  return string.match(text, "^([^|]*)|(.*)$")
end

-- The members of a set of deadlines that are due, at most `DUE_MAX`.
local function due(key, at)
  return redis.call("ZRANGEBYSCORE", key, "-inf", at, "LIMIT", 0, DUE_MAX)
end
