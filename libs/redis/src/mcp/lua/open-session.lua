--[[
  Opens a session of an MCP client, unless its tenant or its key has too many.

  KEYS 1  the session: HASH, `keyId` and `level`, and one field `c:<request>` for each call that goes on
       2  the tenant's sessions: ZSET of `<key's id> <session's id>` by when each ends, in ms since 1970
  ARGV 1  the session as that ZSET names it
       2  the id of the key that opens it
       3  how long it lasts without a word, in ms
       4  how many sessions a tenant may have
       5  how many of them may be one key's
  Returns  1 where it is open, 0 where the tenant has too many, -1 where the key has

  Guarantees: sessions that have ended don't count.
]]
local clock = redis.call("TIME")
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
redis.call("ZREMRANGEBYSCORE", KEYS[2], "-inf", now)
if redis.call("ZCARD", KEYS[2]) >= tonumber(ARGV[4]) then return 0 end
local owner, own = ARGV[2] .. " ", 0
for _, session in ipairs(redis.call("ZRANGE", KEYS[2], 0, -1)) do
  if string.sub(session, 1, #owner) == owner then own = own + 1 end
end
if own >= tonumber(ARGV[5]) then return -1 end
redis.call("HSET", KEYS[1], "keyId", ARGV[2], "level", "")
redis.call("PEXPIRE", KEYS[1], ARGV[3])
redis.call("ZADD", KEYS[2], now + tonumber(ARGV[3]), ARGV[1])
redis.call("PEXPIRE", KEYS[2], ARGV[3])
return 1
