--[[
  Counts a worker's slots for a while, and keeps BullMQ's own keys of the shard as long as there are workers.

  ARGV 1  worker
       2  its slots
       3  for how long they count without another announcement, in ms
       4  for how long the keys of the workers are kept at most, in ms: longer than ARGV 3
       5  how many attempts it takes at once at most, of which it offers fewer as slots while its processors are
          saturated; its slots where it is not said, as by workers of older versions
  Returns  1

  Guarantees: announcing again replaces what was said before; the total is that of the workers that count.
]]
local worker, slots = ARGV[1], tonumber(ARGV[2])
local at = now()

local function say(counted, total, count)
  local before = tonumber(redis.call("HGET", counted, worker) or 0)
  redis.call("HSET", counted, worker, count)
  redis.call("INCRBY", total, count - before)
end

slots_of_workers(at)
-- Capacities of workers that a worker of an older version removed, which knows nothing of capacities.
for _, other in ipairs(redis.call("HKEYS", CAPACITY)) do
  if not redis.call("ZSCORE", WORKERS, other) then drop_worker(other) end
end
say(SLOTS, SLOTS_TOTAL, slots)
say(CAPACITY, CAPACITY_TOTAL, tonumber(ARGV[5] or slots))
redis.call("ZADD", WORKERS, at + tonumber(ARGV[3]), worker)
for _, key in ipairs({ WORKERS, SLOTS, SLOTS_TOTAL, CAPACITY, CAPACITY_TOTAL }) do redis.call("PEXPIRE", key, ARGV[4]) end
for _, name in ipairs({ "meta", "id", "events", "marker", "wait", "active", "stalled" }) do touch(job_key(name)) end
return finish(1)
