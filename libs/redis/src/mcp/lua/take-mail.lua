--[[
  Takes the oldest messages out of a process's mailbox.

  KEYS 1  the mailbox
       2  its size, both as send-mail.lua describes them
  ARGV 1  bytes after which no further message is taken
       2  bytes that a message counts beside its own
  Returns  the messages, the oldest first; none where the mailbox is empty

  Guarantees: an empty mailbox leaves no key.
]]
local out, taken = {}, 0
while taken < tonumber(ARGV[1]) do
  local message = redis.call("LPOP", KEYS[1])
  if not message then break end
  out[#out + 1] = message
  taken = taken + #message + tonumber(ARGV[2])
end
if redis.call("EXISTS", KEYS[1]) == 0 then
  redis.call("DEL", KEYS[2])
else
  redis.call("DECRBY", KEYS[2], taken)
end
return out
