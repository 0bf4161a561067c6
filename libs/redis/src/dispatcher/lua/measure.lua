--[[
  What the shard holds at this moment, for gauges.

  ARGV 1  how many tenants of the ring, and of those at their cap, are looked at, at most
  Returns  slots, in flight, ready, waiting in backlogs, startable, throttled tenants, delayed

  Guarantees: its work is bounded: of more tenants a random sample is taken and what it shows is scaled up.
]]
local looks_max = tonumber(ARGV[1])
local ready = redis.call("LLEN", job_key("wait"))

-- Over a sample: how many wait, and how many of these could start at once; both scaled to `all`.
local at = now()
local function sum(sample, all)
  local waiting, startable = 0, 0
  for _, tenant in ipairs(sample) do
    local backlog = redis.call("ZCARD", backlog_key(tenant))
    waiting = waiting + backlog
    startable = startable + startable_of(load_tenant(tenant), backlog, redis.call("ZCARD", inflight_key(tenant)), at)
  end
  local scale = #sample > 0 and all / #sample or 0
  return math.floor(waiting * scale + 0.5), math.floor(startable * scale + 0.5)
end

local ring, startable = sum(redis.call("ZRANDMEMBER", RING, looks_max), redis.call("ZCARD", RING))
local capped = sum(redis.call("SRANDMEMBER", CAPPED, looks_max), redis.call("SCARD", CAPPED))
return {
  slots_of_workers(at), redis.call("ZCARD", LEASES), ready, ring + capped, ready + startable,
  redis.call("ZCARD", THROTTLED), redis.call("ZCARD", DELAYED),
}
