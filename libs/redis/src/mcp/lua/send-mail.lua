--[[
  Puts a message into a process's mailbox, and rings.

  KEYS 1  the mailbox: LIST of messages, the oldest first
       2  its size: STRING, bytes of its messages, each with what ARGV 4 adds
  ARGV 1  the message
       2  bytes that the mailbox may hold
       3  how long the message waits at least, in ms
       4  bytes that a message counts beside its own
       5  the channel that rings
  Returns  1, or 0 where the mailbox is too full

  Guarantees: the mailbox and its size end together.
]]
local size = tonumber(redis.call("GET", KEYS[2]) or "0")
local more = #ARGV[1] + tonumber(ARGV[4])
if size + more > tonumber(ARGV[2]) then return 0 end
redis.call("RPUSH", KEYS[1], ARGV[1])
redis.call("INCRBY", KEYS[2], more)
redis.call("PEXPIRE", KEYS[1], ARGV[3])
redis.call("PEXPIRE", KEYS[2], ARGV[3])
redis.call("PUBLISH", ARGV[5], "")
return 1
