--[[
  Shared by all steps, 6 of 7: how an attempt that has its turn comes to BullMQ, in the step that gave it a slot.

  `add_standard_job(KEYS, ARGV)` is the step by which BullMQ itself adds a job (`steps.ts` puts its text here), to the queue
  `ready` under the same base. A job id that it has is ignored, so handing out twice is harmless.
]]
local handed_out = 0

-- `startable_ms`, where it is known: for so long the tenant's limits had allowed the start. `again`: it has a slot already.
local function hand_out(tenant, attempt, at, startable_ms, again)
  local queue = base .. ":ready:"
  local keys = {}
  for index, name in ipairs({ "wait", "paused", "meta", "id", "completed", "delayed", "active", "events", "marker" }) do
    keys[index] = queue .. name
  end
  local execution, number = string.match(attempt, "^(.*)-(%d+)$")
  -- Nobody's: a key was tampered with. Its slot lapses.
  if not number then return end
  local told = startable_ms and string.format(',"startableMs":%.0f', startable_ms) or ""
  if again then told = told .. ',"again":true' end
  -- Ids are letters, digits and underscores.
  local data = string.format('{"tenantId":"%s","executionId":"%s","attempt":%s%s}', tenant, execution, number, told)
  local options = { jobId = attempt, attempts = 1, removeOnComplete = true, removeOnFail = true }
  add_standard_job(keys, { cmsgpack.pack({ queue, attempt, "run", at }), data, cmsgpack.pack(options) })
  handed_out = handed_out + 1
end
