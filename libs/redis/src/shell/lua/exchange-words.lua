--[[
  Adds to the output of a command in the background, says that it goes on, and takes what it was told.

  KEYS 1  the process, see open-process.lua
       2  the tenant's processes that go on, see there
       3  all that are known of the tenant's, see there
       4  its output: STRING
       5  what it was told: LIST of JSON, the oldest first
  ARGV 1  the process's id
       2  what it said since
       3  how long it holds without a word, in ms
       4  how long it is remembered without one, in ms
  Returns  what it was told since, as an array of JSON

  Guarantees: of one that was forgotten nothing is made anew.
]]
if redis.call("EXISTS", KEYS[1]) == 0 then return {} end
local clock = redis.call("TIME")
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
if ARGV[2] ~= "" then redis.call("APPEND", KEYS[4], ARGV[2]) end
redis.call("ZADD", KEYS[2], now + tonumber(ARGV[3]), ARGV[1])
for n = 1, 4 do redis.call("PEXPIRE", KEYS[n], ARGV[4]) end
local told = redis.call("LRANGE", KEYS[5], 0, -1)
redis.call("DEL", KEYS[5])
return told
