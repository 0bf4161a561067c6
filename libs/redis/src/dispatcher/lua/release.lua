--[[
  Forgets attempts wherever they are: frees their slots, takes them out of what they wait in, and hands the slots on.

  ARGV 1    lease of an attempt that is handed out, in ms
       2..  threes: tenant, attempt, ms for which it kept a worker's slot, "" where nobody knows, or
           "unless_taken": nothing is done where a worker has locked its job, who releases it when its guest is dead
  Returns  1: 1 when a bound ended the step before all was handed out
           2: the given attempts that BullMQ still holds and nobody has locked: to be removed from it

  Guarantees: repeating it changes nothing; the used time is charged instead of the expected one; a freed slot
  goes to any tenant whose turn it is. Works on a full Redis: it starts by removing.
]]
local at = now()
local idle = {}

local function forget(tenant, attempt, used)
  local extras = extras_of(tenant, attempt)
  local held, charge = free(tenant, attempt, extras, at)
  if held then
    -- A slot that a heartbeat gave back after Redis lost it has no charge.
    if used then settle_charge(tenant, charge or 0, used) end
  else
    redis.call("ZREM", reserved_key(tenant), string.match(attempt, "^(.*)-"))
    out_of_backlog(tenant, attempt)
    if extras then
      redis.call("HDEL", extras_key(tenant), attempt)
      if redis.call("ZREM", DELAYED, tenant .. "|" .. attempt) == 1 then count(tenant, "delayed", -1) end
      if extras.tool then
        if redis.call("ZREM", parked_key(tenant, extras.tool), attempt) == 1 then count(tenant, "parked", -1) end
        unpark(tenant, extras.tool, at)
      end
    end
  end
end

for i = 2, #ARGV, 3 do
  local tenant, attempt, used = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local locked = redis.call("EXISTS", job_key(attempt) .. ":lock") == 1
  if not (locked and used == "unless_taken") then
    forget(tenant, attempt, tonumber(used))
    -- The usual release comes from the attempt's own worker, whose lock is there: then BullMQ removes the job itself.
    if not locked and redis.call("EXISTS", job_key(attempt)) == 1 then idle[#idle + 1] = attempt end
  end
end
return finish({ fill(at, tonumber(ARGV[1])), idle })
