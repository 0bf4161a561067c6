--[[
  Reads one page of an execution's log, whose entries `append.lua` describes.

  KEYS 1  the log
       2  its tail
  ARGV 1  the id behind which to read; "0-0" for the beginning
       2  entries in a page, at most
       3  bytes in a page, at most; a first entry larger than that comes alone
  Returns  1: 1 when the log holds the event with the given id, else 0
           2: entries' events, in order; the first entry may begin with events before that id
           3: 1 when there may be more behind them, else 0
           4: the id of the last event that was trimmed away; "0-0" for none
           5: the id of the page's last event; the given one where there is none

  Guarantees: changes nothing; all answers belong to one moment.
]]
-- The numbers of an attempt's events that are in one entry have no holes.
local function holds(entry, id)
  if not entry then return false end
  if entry[1] == id then return true end
  local attempt, n = string.match(id, "^(%d+)-(%d+)$")
  local first_attempt, first_n = string.match(entry[2][4] or "", "^(%d+)-(%d+)$")
  return attempt == first_attempt and tonumber(n) >= tonumber(first_n)
end

local held = holds(redis.call("XRANGE", KEYS[1], ARGV[1], "+", "COUNT", 1)[1], ARGV[1])
local room = tonumber(ARGV[3])
local entries = redis.call("XRANGE", KEYS[1], "(" .. ARGV[1], "+", "COUNT", ARGV[2])
local page, last = {}, ARGV[1]
for _, entry in ipairs(entries) do
  local events = entry[2][2]
  room = room - #events
  if room < 0 and #page > 0 then break end
  page[#page + 1], last = events, entry[1]
end
local more = #page < #entries or #entries == tonumber(ARGV[2])
return { held and 1 or 0, page, more and 1 or 0, redis.call("HGET", KEYS[2], "cut") or "0-0", last }
