-- Both steps on a tenant's log begin with this: a missing log knows no event before this millisecond.
local log, floor = KEYS[1], KEYS[2]
local now = redis.call("TIME")
redis.call("SET", floor, string.format("%.0f-0", now[1] * 1000 + math.floor(now[2] / 1000) - 1), "NX")

