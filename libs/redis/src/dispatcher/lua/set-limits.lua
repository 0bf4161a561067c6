--[[
  Holds a tenant to limits from now on, and hands out what they newly allow.

  ARGV 1  lease of an attempt that is handed out, in ms
       2  tenant
       3  its limits
  Returns  1 when a bound ended the step before all was handed out

  Guarantees: older limits never overwrite newer ones; under a smaller cap nothing is handed out until enough has ended.
]]
local at = now()
touch(tenant_key(ARGV[2]))
take_limits(ARGV[2], ARGV[3], at)
return finish(fill(at, tonumber(ARGV[1])))
