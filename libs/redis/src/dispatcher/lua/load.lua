--[[
  What the shard holds of one tenant, or of those that have most running and waiting.

  ARGV 1  a tenant, "" for the busiest ones
       2  how many tenants of each set are looked at, at most
       3  how many of the busiest are told, at most
  Returns  1: slots of the workers
           2: the moment, in ms
           3: the weights of all tenants that compete for slots (in the ring or at their cap), added up
           4..: of each tenant: itself, how many wait for their turn, hold a slot, are delayed, are parked, 1 if it competes
                (else 0), its tat in ms, how many runs its statistics are of, their mean in ms

  Guarantees: its work is bounded: of more tenants a random sample is taken, whose weights are scaled up. It changes nothing
  but the workers that have fallen silent.
]]
local wanted, looks_max, told_max = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local at = now()

local function weights_of(sample, all)
  local sum = 0
  for _, tenant in ipairs(sample) do
    sum = sum + parse_limits(redis.call("HGET", tenant_key(tenant), "limits") or LIMITS_UNKNOWN).weight
  end
  return #sample > 0 and sum * all / #sample or 0
end

local ring, capped = redis.call("ZRANDMEMBER", RING, looks_max), redis.call("SRANDMEMBER", CAPPED, looks_max)
local weights = weights_of(ring, redis.call("ZCARD", RING)) + weights_of(capped, redis.call("SCARD", CAPPED))

-- Those that wait are in one of three sets; those that only run are known by their leases.
local function busiest()
  local held = {}
  for _, lease in ipairs(redis.call("ZRANDMEMBER", LEASES, looks_max)) do held[#held + 1] = (halves(lease)) end
  local busy, all = {}, {}
  for _, some in ipairs({ ring, capped, redis.call("ZRANDMEMBER", THROTTLED, looks_max), held }) do
    for _, tenant in ipairs(some) do
      if not busy[tenant] then
        busy[tenant] = waiting_of(tenant) + running_of(tenant)
        all[#all + 1] = tenant
      end
    end
  end
  table.sort(all, function(a, b)
    if busy[a] ~= busy[b] then return busy[a] > busy[b] end
    return a < b
  end)
  return { unpack(all, 1, math.min(#all, told_max)) }
end

local reply = { slots_of_workers(at), at, tostring(weights) }
for _, tenant in ipairs(wanted ~= "" and { wanted } or busiest()) do
  local state = load_tenant(tenant)
  local known, mean = runs_of(state)
  reply[#reply + 1] = {
    tenant, waiting_of(tenant), running_of(tenant), state.delayed, state.parked,
    (state.place == "ring" or state.place == "capped") and 1 or 0,
    string.format("%.3f", state.tat), known, string.format("%.3f", mean),
  }
end
return reply
