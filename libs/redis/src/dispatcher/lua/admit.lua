--[[
  Takes attempts in and hands out those whose turn it is.

  ARGV 1    lease of an attempt that is handed out, in ms
       2    limits of a tenant that none were ever given for
       3..  groups of one tenant: tenant, its limits or "" for those last given, priority, delay in ms,
            `<cap>|<rate>|<tool>` or "" where its tool has no limits of its own, how many attempts, and these
  Returns  1 when a bound ended the step before all was handed out

  Guarantees: a new one goes through its tenant's backlog and the ring as all do, which is at once where both are empty;
  its score in the backlog is its priority and the submission of its execution, whichever attempt it is; an attempt that
  holds a slot is handed out again (so a BullMQ that has lost it has it again), one that waits keeps its position, one whose
  lease ran out is admitted anew. Its reservation ends. On a full Redis it fails: its first write is one that adds. What a
  group's attempts have in common costs one command.
]]
local at = now()

-- Lets attempts wait that are not known here: for their time, or for their turn.
local function take_in(tenant, attempts, priority, delay, tool)
  local text = priority .. "|" .. (tool ~= "" and tool or "||")
  local queued, reserved = {}, {}
  for index, attempt in ipairs(attempts) do
    if tool ~= "" or delay > 0 then redis.call("HSET", touch(extras_key(tenant)), attempt, text) end
    if delay > 0 then
      redis.call("ZADD", touch(DELAYED), at + delay, tenant .. "|" .. attempt)
      count(tenant, "delayed", 1)
    elseif tool ~= "" then
      enqueue(tenant, attempt, score_of(priority, attempt, at), parse_extras(text))
    else
      queued[2 * index - 1], queued[2 * index] = score_of(priority, attempt, at), attempt
    end
    reserved[index] = string.match(attempt, "^(.*)-")
  end
  if #queued > 0 then into_backlog(tenant, unpack(queued)) end
  redis.call("ZREM", reserved_key(tenant), unpack(reserved))
end

-- Those of a tenant's attempts that neither hold a slot (they would be handed out again) nor wait.
local function unknown_of(tenant, attempts)
  local unknown, seen = {}, {}
  local deadlines = redis.call("ZMSCORE", inflight_key(tenant), unpack(attempts))
  local scores = redis.call("ZMSCORE", backlog_key(tenant), unpack(attempts))
  local texts = redis.call("HMGET", extras_key(tenant), unpack(attempts))
  for index, attempt in ipairs(attempts) do
    local deadline = tonumber(deadlines[index] or nil)
    local extras = texts[index] and parse_extras(texts[index])
    if deadline and deadline > at then
      hand_out(tenant, attempt, at, nil, true)
    elseif not scores[index] and not seen[attempt] and not waits_outside(tenant, attempt, extras) then
      if deadline then free(tenant, attempt, extras, at) end
      unknown[#unknown + 1] = attempt
    end
    seen[attempt] = true
  end
  return unknown
end

local i = 3
while i <= #ARGV do
  local tenant, limits, priority, delay, tool = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]), tonumber(ARGV[i + 3]), ARGV[i + 4]
  local first, last = i + 6, i + 5 + tonumber(ARGV[i + 5])
  i = last + 1
  if limits == "" and not load_tenant(tenant).given then limits = ARGV[2] end
  if limits ~= "" then take_limits(tenant, limits, at) end
  touch(tenant_key(tenant))
  local attempts = unknown_of(tenant, { unpack(ARGV, first, last) })
  if #attempts > 0 then take_in(tenant, attempts, priority, delay, tool) end
end
return finish(fill(at, tonumber(ARGV[1])))
