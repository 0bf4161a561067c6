--[[
  Tells which attempts would never be handed out: they neither wait here nor does BullMQ hold them.

  ARGV 1    lease of an attempt that is handed out, in ms
       2..  pairs: tenant, attempt
  Returns  the positions of the missing ones among the given, counted from 0.

  Guarantees: a slot alone does not count, since BullMQ may have lost the attempt (a version before this one handed out in
  two steps); a slot whose attempt waits in BullMQ is prolonged, so that a long wait frees nothing that is still needed. A
  reservation does not count either: whoever asks knows that the row is committed.
]]
local deadline = now() + tonumber(ARGV[1])
local out = {}
for i = 2, #ARGV, 2 do
  local tenant, attempt = ARGV[i], ARGV[i + 1]
  if not redis.call("ZSCORE", backlog_key(tenant), attempt) and not waits_outside(tenant, attempt, extras_of(tenant, attempt)) then
    if redis.call("EXISTS", job_key(attempt)) == 0 then
      out[#out + 1] = (i - 2) / 2
    else
      touch(job_key(attempt))
      if redis.call("ZSCORE", inflight_key(tenant), attempt) then
        touch(LEASES)
        hold(tenant, attempt, deadline)
      end
    end
  end
end
return finish(out)
