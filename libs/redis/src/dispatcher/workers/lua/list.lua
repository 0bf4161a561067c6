--[[
  The facts of every listed worker whose entry has not run out. Changes nothing.

  KEYS 1  the directory's base, see announce.lua
  Returns  a list of JSON texts, in no order
]]
local facts, till = KEYS[1] .. ":facts", KEYS[1] .. ":until"
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)

local out = {}
for _, worker in ipairs(redis.call("ZRANGEBYSCORE", till, "(" .. now, "+inf")) do
  local text = redis.call("HGET", facts, worker)
  if text then out[#out + 1] = text end
end
return out
