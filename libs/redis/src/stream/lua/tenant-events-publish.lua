--[[
  Appends one event to a tenant's log and rings for everyone who listens.

  KEYS 1  the log: STREAM, an entry {"e": event as JSON} for each event, under an id of Redis's clock
       2  its floor: the id behind which the log has lost nothing
  ARGV 1  channel
       2  the event as JSON
       3  how long both stay after this, in ms
       4  events that the log may hold
  Returns  the event's id

  Guarantees: ids rise strictly while the log stays; the log is whole behind its floor; what is rung for is logged.
  The message is the event's id.
]]
local id = redis.call("XADD", log, "*", "e", ARGV[2])
local excess = redis.call("XLEN", log) - tonumber(ARGV[4])
if excess > 0 then
  local lost = redis.call("XRANGE", log, "-", "+", "COUNT", excess)
  redis.call("SET", floor, lost[#lost][1])
  redis.call("XTRIM", log, "MAXLEN", ARGV[4])
end

redis.call("PEXPIRE", log, ARGV[3])
redis.call("PEXPIRE", floor, ARGV[3])
redis.call("PUBLISH", ARGV[1], id)
return id
