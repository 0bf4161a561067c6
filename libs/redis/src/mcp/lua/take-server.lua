--[[
  Takes somebody else's MCP server for a process, unless another one holds it.

  KEYS 1  the server's lease: STRING, the process that holds it
  ARGV 1  the process that wants it
       2  how long it holds without renewing, in ms
  Returns  the process that holds it now

  Guarantees: whoever holds it already holds it anew for the whole time.
]]
local holder = redis.call("GET", KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return ARGV[1]
