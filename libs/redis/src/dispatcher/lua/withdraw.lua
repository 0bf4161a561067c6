--[[
  Takes a worker's slots back at once.

  ARGV 1  worker
  Returns  1 when they counted

  Guarantees: repeating it changes nothing; what the worker runs stays in flight until it is released or its lease ends.
]]
local counted = redis.call("HEXISTS", SLOTS, ARGV[1])
drop_worker(ARGV[1])
return counted
