--[[
  Tells which attempts would never be handed out: neither a backlog nor BullMQ holds them.

  ARGV  pairs: tenant, attempt
  Returns  the positions of the missing ones among the given, counted from 0.

  Guarantees: changes nothing. A slot alone does not count: its holder may have died before it handed the attempt out.
]]
local out = {}
for i = 1, #ARGV, 2 do
  if
    not redis.call("ZSCORE", backlog(ARGV[i]), ARGV[i + 1])
    and redis.call("EXISTS", job(ARGV[i + 1])) == 0
  then
    out[#out + 1] = (i - 1) / 2
  end
end
return out
