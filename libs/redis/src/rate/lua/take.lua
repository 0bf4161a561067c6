--[[
  Takes from rates of one tenant, by GCRA: one number for each rate, the time at which all that was taken is paid off.

  KEYS 1     STRING, what the tenant's latest change was marked with; absent when the last one is long ago
  KEYS 2..k  one for each take, all with the tenant's hash tag: STRING, that time, in microseconds since EPOCH
  ARGV       four for each take, in order: how many to take, the rate's count, its time in ms, its burst
  Returns    the mark, or false; then four numbers for each take, in order: 1 or 0 (taken or not), what may be taken right
             now, ms until that grows by one (0: it is all there), ms until the same take may succeed (0: it did, -1: never,
             it is above the burst)

  Guarantees: each take is all or nothing. With an interval of T = time / count between two, whatever is taken leaves the
  time at most burst × T ahead of now; so within any t at most t / T + burst are taken, whoever asks. Every key expires when
  it is paid off, and a missing key means just that. A time further ahead than a full burst (the rate was changed, or the
  clock was set back) counts as a full burst: nobody is locked out for longer than that takes.
]]
-- 2026-01-01: numbers stay small enough for a Lua number to hold a hundredth of a microsecond.
local EPOCH = 1767225600
-- Below what one take at the highest rate moves, above what rounding does. Microseconds.
local ROUNDING = 0.1
-- Redis's clock of expiry may be ahead of TIME. Milliseconds.
local SLACK = 1000

local clock = redis.call("TIME")
local now = (tonumber(clock[1]) - EPOCH) * 1000000 + tonumber(clock[2])

local replies = { redis.call("GET", KEYS[1]) }
for i = 2, #KEYS do
  local key = KEYS[i]
  local at = (i - 2) * 4
  local n, burst = tonumber(ARGV[at + 1]), tonumber(ARGV[at + 4])
  local interval = tonumber(ARGV[at + 3]) * 1000 / tonumber(ARGV[at + 2])
  local full = burst * interval

  local stored = tonumber(redis.call("GET", key) or now) - now
  local ahead = math.min(math.max(stored, 0), full)

  local wait = ahead + n * interval - full
  local taken = wait <= ROUNDING
  if taken then ahead = ahead + n * interval end
  -- A level that was cut down to a full burst is written even if nothing was taken: else it would be cut down again, for
  -- ever.
  if taken or stored > full + ROUNDING then
    local ttl = math.ceil(ahead / 1000) + SLACK
    redis.call("SET", key, string.format("%.2f", now + ahead), "PX", ttl)
  end

  local free = math.max(full - ahead, 0)
  local remaining = math.floor((free + ROUNDING) / interval)
  local reset = 0
  if remaining < burst then reset = math.ceil(((remaining + 1) * interval - free) / 1000) end

  local retry = 0
  if n > burst then
    retry = -1
  elseif not taken then
    retry = math.ceil(wait / 1000)
  end
  replies[#replies + 1] = taken and 1 or 0
  replies[#replies + 1] = remaining
  replies[#replies + 1] = reset
  replies[#replies + 1] = retry
end
return replies
