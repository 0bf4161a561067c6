--[[
  Takes attempts in and hands out those whose turn it is.

  ARGV 1    lease of an attempt that is handed out, in ms
       2    limits of a tenant that none were ever given for
       3..  fives: tenant, attempt, its limits or "" for those last given, `<priority>:<delay in ms>`,
            and `<cap>|<rate>|<tool>` or "" where its tool has no limits of its own
  Returns  1: the `<tenant>|<attempt>` to hand out now: these hold a slot. May name others than the given ones
           2: 1 when a bound ended the step before all was handed out

  Guarantees: nobody overtakes: a new one goes through its tenant's backlog and the ring as all do, which is at once
  where both are empty; an attempt that holds a slot is named again (so a crash before it was handed out heals), one
  that waits keeps its place, one whose lease ran out is admitted anew. Its reservation ends. On a full Redis it fails:
  its first write is one that adds.
]]
local at = now()
local out = {}
for i = 3, #ARGV, 5 do
  local tenant, attempt, limits, when, tool = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]
  if limits ~= "" then
    take_limits(tenant, limits, at)
  else
    redis.call("HSETNX", touch(tenant_key(tenant)), "limits", ARGV[2])
  end
  local deadline = tonumber(redis.call("ZSCORE", inflight_key(tenant), attempt) or nil)
  local extras = extras_of(tenant, attempt)
  if deadline and deadline > at then
    out[#out + 1] = tenant .. "|" .. attempt
  elseif not waits(tenant, attempt, extras) then
    if deadline then free(tenant, attempt, extras, at) end
    local priority, delay = string.match(when, "^(%d+):(%d+)$")
    extras = nil
    if tool ~= "" or delay ~= "0" then
      local text = priority .. "|" .. (tool ~= "" and tool or "||")
      redis.call("HSET", touch(extras_key(tenant)), attempt, text)
      extras = parse_extras(text)
    end
    if delay == "0" then
      enqueue(tenant, attempt, tonumber(priority), extras)
    else
      redis.call("ZADD", touch(DELAYED), at + tonumber(delay), tenant .. "|" .. attempt)
      count(tenant, "delayed", 1)
    end
    redis.call("ZREM", reserved_key(tenant), string.match(attempt, "^(.*)-"))
  end
end
local more = fill(at, tonumber(ARGV[1]), out)
return finish({ out, more })
