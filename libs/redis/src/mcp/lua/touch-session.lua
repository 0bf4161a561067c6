--[[
  Keeps a session of an MCP client alive, and notes one of its calls.

  KEYS 1  the session
       2  the tenant's sessions, both as `open-session.lua` describes them
  ARGV 1  the session as the tenant's sessions name it
       2  the id of the key that asks
       3  how long the session lasts without a word, in ms
       4  the call's request, or nothing
       5  the call's execution
       6  how long a call is remembered at most, in ms
       7  how many calls may go on
  Returns  false where there is no such session of this key; else its log level, and 1 or 0: whether the call is noted

  Guarantees: a call that is noted already may be noted anew. Calls whose time is over make room before one is refused.
]]
if redis.call("HGET", KEYS[1], "keyId") ~= ARGV[2] then return false end
local clock = redis.call("TIME")
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
redis.call("PEXPIRE", KEYS[1], ARGV[3])
redis.call("ZADD", KEYS[2], now + tonumber(ARGV[3]), ARGV[1])
redis.call("PEXPIRE", KEYS[2], ARGV[3])
local level = redis.call("HGET", KEYS[1], "level")
if ARGV[4] == "" then return { level, 1 } end

local OWN_FIELDS = 2
local field = "c:" .. ARGV[4]
local max = tonumber(ARGV[7]) + OWN_FIELDS
if redis.call("HLEN", KEYS[1]) >= max and redis.call("HEXISTS", KEYS[1], field) == 0 then
  local all = redis.call("HGETALL", KEYS[1])
  for i = 1, #all, 2 do
    local ends = string.match(all[i + 1], "^(%d+) ")
    if string.sub(all[i], 1, 2) == "c:" and tonumber(ends) < now then redis.call("HDEL", KEYS[1], all[i]) end
  end
  if redis.call("HLEN", KEYS[1]) >= max then return { level, 0 } end
end
redis.call("HSET", KEYS[1], field, string.format("%.0f", now + tonumber(ARGV[6])) .. " " .. ARGV[5])
return { level, 1 }
