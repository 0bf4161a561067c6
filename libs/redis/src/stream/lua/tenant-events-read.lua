--[[
  Reads one page of a tenant's log, and where the log begins and ends.

  KEYS 1  the log
       2  its floor
  ARGV 1  the id behind which to read; "" for no events
       2  events in a page, at most
       3  how long both stay after this, in ms
  Returns  1: the id behind which the log has lost nothing
           2: the id behind which everything is still to come
           3: the events, each as {id, JSON}, in order

  Guarantees: all answers belong to one moment. A log that isn't there begins with this, so that who reads now and comes
  back later is told of a gap only where something may have been lost.
]]
redis.call("PEXPIRE", log, ARGV[3])
redis.call("PEXPIRE", floor, ARGV[3])

local begin = redis.call("GET", floor)
local newest = redis.call("XREVRANGE", log, "+", "-", "COUNT", 1)[1]
local page = {}
if ARGV[1] ~= "" then
  for _, entry in ipairs(redis.call("XRANGE", log, "(" .. ARGV[1], "+", "COUNT", ARGV[2])) do
    page[#page + 1] = { entry[1], entry[2][2] }
  end
end
return { begin, newest and newest[1] or begin, page }
