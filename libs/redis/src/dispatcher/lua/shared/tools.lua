--[[
  Shared by all steps, 4 of 7: attempts with extras (a delay, or a tool with a cap or a rate of its own), and the backlog.

  Extras are `<priority>|<cap>|<rate>|<tool>`, empty where there is none. An attempt whose tool has no free slot is parked
  with its score, so that it holds up no other attempt. As long as anything of a tool is parked, either a
  release of that tool or its entry in `tools-due` looks at it again.
]]
-- Attempts that one look at a tool brings back.
local UNPARK_MAX = 10

local function parse_extras(text)
  local priority, cap, rate, tool = string.match(text, "^([^|]*)|([^|]*)|([^|]*)|(.*)$")
  return { priority = tonumber(priority), cap = tonumber(cap), rate = tonumber(rate), tool = tool ~= "" and tool or nil }
end
local function extras_of(tenant, attempt)
  local text = redis.call("HGET", extras_key(tenant), attempt)
  return text and parse_extras(text)
end

-- Nil if a tool may start one more besides `ahead`; else when to look again, 0 for at a release.
local function tool_closed(tenant, extras, ahead, at)
  if extras.cap and redis.call("SCARD", tool_inflight_key(tenant, extras.tool)) + ahead >= extras.cap then return 0 end
  if not extras.rate then return nil end
  local interval = 1000 / extras.rate
  local tat = math.max(at, tonumber(redis.call("GET", tool_tat_key(tenant, extras.tool)) or 0))
  local ready = ready_at(tat + ahead * interval, interval, math.max(1, extras.rate))
  return ready > at and ready or nil
end

-- An attempt of the tool starts: it takes a slot and a turn of the rate.
local function tool_starts(tenant, attempt, extras, at)
  if extras.cap then redis.call("SADD", touch(tool_inflight_key(tenant, extras.tool)), attempt) end
  if extras.rate then
    local tat = math.max(at, tonumber(redis.call("GET", tool_tat_key(tenant, extras.tool)) or 0)) + 1000 / extras.rate
    redis.call("SET", tool_tat_key(tenant, extras.tool), tat, "PX", math.ceil(tat - at) + 1)
  end
end

local function park(tenant, attempt, score, extras, look_at)
  redis.call("ZADD", touch(parked_key(tenant, extras.tool)), score, attempt)
  count(tenant, "parked", 1)
  if look_at > 0 then redis.call("ZADD", touch(TOOLS_DUE), look_at, tenant .. "|" .. extras.tool) end
end

-- Moves back the parked attempts that a tool may start again.
local function unpark(tenant, tool, at)
  local parked = parked_key(tenant, tool)
  local look_at = at + 1
  for ahead = 0, UNPARK_MAX - 1 do
    local head = redis.call("ZRANGE", parked, 0, 0, "WITHSCORES")
    if not head[1] then look_at = 0 break end
    local extras = extras_of(tenant, head[1])
    local closed = extras and tool_closed(tenant, extras, ahead, at)
    if closed then look_at = closed break end
    redis.call("ZREM", parked, head[1])
    into_backlog(tenant, head[2], head[1])
    count(tenant, "parked", -1)
  end
  if look_at > 0 then
    redis.call("ZADD", touch(TOOLS_DUE), look_at, tenant .. "|" .. tool)
  else
    redis.call("ZREM", TOOLS_DUE, tenant .. "|" .. tool)
  end
end

-- The score of a waiting attempt: after all of a higher priority, then by the millisecond of its execution's submission,
-- with which its id begins (UUIDv7). So a returning attempt gets its old position, before later submissions, whoever
-- returns it. Within one millisecond the lower id goes first, since equal scores are ordered by member: the ids of a batch
-- count up. An API whose clock is ahead of Redis's puts no attempt behind those that are submitted after now.
local function score_of(priority, attempt, at)
  local submitted = tonumber(string.sub(attempt, 5, 16), 16)
  return (PRIORITY_MAX - priority) * PRIORITY_STEP + math.min(submitted, at)
end

-- The score of an attempt whose delay ended at `due_at`: a first attempt counts as submitted then, since it was asked for
-- that moment; any other one gets its old position.
local function score_after_delay(priority, attempt, due_at)
  if string.sub(attempt, -2) ~= "-1" then return score_of(priority, attempt, due_at) end
  return (PRIORITY_MAX - priority) * PRIORITY_STEP + due_at
end

-- Lets an attempt wait for its turn, or for its tool where others do.
local function enqueue(tenant, attempt, score, extras)
  if extras.tool and redis.call("EXISTS", parked_key(tenant, extras.tool)) == 1 then
    park(tenant, attempt, score, extras, 0)
  else
    into_backlog(tenant, score, attempt)
  end
end

-- Whether an attempt waits outside its backlog: for its tool or its time.
local function waits_outside(tenant, attempt, extras)
  if not extras then return false end
  if extras.tool and redis.call("ZSCORE", parked_key(tenant, extras.tool), attempt) then return true end
  return redis.call("ZSCORE", DELAYED, tenant .. "|" .. attempt) and true or false
end
