--[[
  Reads one page of an execution's log.

  KEYS 1  the log
       2  its tail
  ARGV 1  the id behind which to read; "0-0" for the beginning
       2  events in a page, at most
       3  bytes in a page, at most; a first event larger than that comes alone
  Returns  1: 1 when the log holds the event with the given id, else 0
           2: the events as JSON, in order
           3: 1 when there may be more behind them, else 0
           4: the id of the last event that was trimmed away; "0-0" for none

  Guarantees: changes nothing; all answers belong to one moment.
]]
local held = #redis.call("XRANGE", KEYS[1], ARGV[1], ARGV[1], "COUNT", 1)
local room = tonumber(ARGV[3])
local entries = redis.call("XRANGE", KEYS[1], "(" .. ARGV[1], "+", "COUNT", ARGV[2])
local page = {}
for _, entry in ipairs(entries) do
  local event = entry[2][2]
  room = room - #event
  if room < 0 and #page > 0 then break end
  page[#page + 1] = event
end
local more = #page < #entries or #entries == tonumber(ARGV[2])
return { held, page, more and 1 or 0, redis.call("HGET", KEYS[2], "cut") or "0-0" }
