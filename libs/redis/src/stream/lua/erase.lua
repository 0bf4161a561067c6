--[[
  Erases what an execution's log holds, and closes it: `append.lua` takes nothing more of the execution.

  KEYS 1  the log
       2  its tail, both as `append.lua` describes them
  ARGV 1  an id above those of all events
       2  how long the log stays closed, in ms
  Returns  1 where there was a log, else 0

  Guarantees: repeated, it does no more than to close the log anew. A reader finds a log without events that lost none.
]]
local erased = redis.call("DEL", KEYS[1])
redis.call("DEL", KEYS[2])
redis.call("HSET", KEYS[2], "last", ARGV[1], "bytes", 0, "events", 0)
redis.call("PEXPIRE", KEYS[2], ARGV[2])
return erased
