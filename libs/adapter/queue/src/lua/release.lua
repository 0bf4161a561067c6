--[[
  Forgets attempts wherever they are: frees their slots, takes them out of what they wait in, and hands the room on.

  ARGV 1    lease of an attempt that is handed out, in ms
       2..  threes: tenant, attempt, ms for which it kept a worker's slot or "" where nobody knows
  Returns  1: 1 when a bound ended the step before all was handed out
           2: the given attempts that BullMQ still holds and nobody has locked: to be removed from it

  Guarantees: repeating it changes nothing; what was used is charged in place of what had been expected; the freed room
  is any tenant's whose turn it is. Works on a full Redis: it starts by removing.
]]
local at = now()
local idle = {}
for i = 2, #ARGV, 3 do
  local tenant, attempt, used = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2])
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
  -- The usual release comes from the attempt's own worker, whose lock is there: then BullMQ removes the job itself.
  if redis.call("EXISTS", job_key(attempt) .. ":lock") == 0 and redis.call("EXISTS", job_key(attempt)) == 1 then
    idle[#idle + 1] = attempt
  end
end
return finish({ fill(at, tonumber(ARGV[1])), idle })
