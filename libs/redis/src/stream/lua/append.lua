--[[
  Appends events of one execution to its log and tells everyone who listens.

  KEYS 1    the log: STREAM of blocks of events, an entry {"e": the events as JSON, a newline between them} under the id of
          its last event; of more than one event also {"f": id of its first, "n": how many}
       2    its tail: HASH {last: id of the last event ever taken, bytes: of the log's events, events: how many it holds,
          cut: id of the last event that was trimmed away, if any was}
  ARGV 1    channel
       2    how long both stay after this, in ms
       3    events that the log may hold
       4    bytes that the log may hold
       5    bytes that are published at once
       6..  blocks, four each: id of the first event, id of the last, how many, the events as in an entry
  Returns  a "1" for each block that was taken, a "0" for each that was dropped, in order: "1101"

  Guarantees: a block whose first id is not above the log's last is dropped, neither logged nor published: so a holder that
  was fenced off is kept out. What is published is logged. The message is the id before its first event, then the events,
  each after a newline: a listener sees whether it missed something. Of a batch too large to publish only the last block is
  published.
]]
local log, tail = KEYS[1], KEYS[2]

-- The attempt, then the number; both have at most 15 digits, so a Lua number holds them exactly.
local function above(id, other)
  local attempt, n = string.match(id, "^(%d+)-(%d+)$")
  local other_attempt, other_n = string.match(other, "^(%d+)-(%d+)$")
  attempt, other_attempt = tonumber(attempt), tonumber(other_attempt)
  if attempt ~= other_attempt then return attempt > other_attempt end
  return tonumber(n) > tonumber(other_n)
end

local last = redis.call("HGET", tail, "last")
if not last then
  local newest = redis.call("XREVRANGE", log, "+", "-", "COUNT", 1)[1]
  last = newest and newest[1] or "0-0"
end
local bytes = tonumber(redis.call("HGET", tail, "bytes") or "0")
local events = tonumber(redis.call("HGET", tail, "events") or redis.call("XLEN", log))

local taken, message, size, before_last = {}, { last }, 0, last
for i = 6, #ARGV, 4 do
  local first, id, count, block = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  if above(first, last) then
    if first == id then redis.call("XADD", log, id, "e", block)
    else redis.call("XADD", log, id, "e", block, "f", first, "n", count) end
    before_last, last = last, id
    bytes, size, events = bytes + #block, size + #block, events + tonumber(count)
    message[#message + 1] = block
    taken[#taken + 1] = "1"
  else
    taken[#taken + 1] = "0"
  end
end
if #message == 1 then return table.concat(taken) end

-- Trims to nine tenths, so that a full log is not trimmed at every append. The last entry always stays.
local events_max, bytes_max = tonumber(ARGV[3]), tonumber(ARGV[4])
if events > events_max or bytes > bytes_max then
  local entries = redis.call("XLEN", log)
  while entries > 1 and (events > events_max * 0.9 or bytes > bytes_max * 0.9) do
    local id, fields = unpack(redis.call("XRANGE", log, "-", "+", "COUNT", 1)[1])
    redis.call("XDEL", log, id)
    redis.call("HSET", tail, "cut", id)
    entries, events, bytes = entries - 1, events - tonumber(fields[6] or "1"), bytes - #fields[2]
  end
end

redis.call("HSET", tail, "last", last, "bytes", bytes, "events", events)
redis.call("PEXPIRE", log, ARGV[2])
redis.call("PEXPIRE", tail, ARGV[2])
if size > tonumber(ARGV[5]) then message = { before_last, message[#message] } end
redis.call("PUBLISH", ARGV[1], table.concat(message, "\n"))
return table.concat(taken)
