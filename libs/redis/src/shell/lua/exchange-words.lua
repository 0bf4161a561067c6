--[[
  Adds to the output of a command in the background, says that it goes on, and tells what it was told.

  KEYS 1  the process, see open-process.lua; `said`: how many bytes of its output were added
       2  the tenant's processes that go on, see there
       3  all that are known of the tenant's, see there
       4  its output: STRING
       5  what it was told: LIST of JSON, the oldest first
  ARGV 1  the process's id
       2  what it said since
       3  how many bytes it had said before that
       4  how the last word begins that it has heard; empty: it has heard none
       5  how long it holds without a word, in ms
       6  how long it is remembered without one, in ms
  Returns  what it was told and has not heard, as an array of JSON

  Guarantees: of one that was forgotten nothing is made anew. Whoever had no answer asks again: what was added is not added
  twice, and a word stays until whoever was told it says so.
]]
if redis.call("EXISTS", KEYS[1]) == 0 then return {} end
local clock = redis.call("TIME")
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local from = tonumber(ARGV[3])
local said = tonumber(redis.call("HGET", KEYS[1], "said") or "0")
local output = string.sub(ARGV[2], math.max(0, said - from) + 1)
if output ~= "" then
  redis.call("APPEND", KEYS[4], output)
  redis.call("HSET", KEYS[1], "said", string.format("%d", from + #ARGV[2]))
end
redis.call("ZADD", KEYS[2], now + tonumber(ARGV[5]), ARGV[1])
for n = 1, 4 do redis.call("PEXPIRE", KEYS[n], ARGV[6]) end
local told = redis.call("LRANGE", KEYS[5], 0, -1)
local heard = 0
if ARGV[4] ~= "" then
  for n, word in ipairs(told) do
    if string.sub(word, 1, #ARGV[4]) == ARGV[4] then heard = n end
  end
  if heard > 0 then redis.call("LTRIM", KEYS[5], heard, -1) end
end
local unheard = {}
for n = heard + 1, #told do table.insert(unheard, told[n]) end
return unheard
