import type { Schedule, ScheduleTerms } from "@bulkhead/core";

/** Of a schedule, what its owner decides, for a change that leaves the rest. */
export const termsOf = ({
  name,
  toolId,
  toolName,
  arguments: args,
  context,
  priority,
  timeoutMs,
  plan,
  missedRuns,
  overlap,
  status,
  statusReason,
}: Schedule): ScheduleTerms => ({
  name,
  toolId,
  toolName,
  arguments: args,
  context,
  priority,
  timeoutMs,
  plan,
  missedRuns,
  overlap,
  status,
  statusReason,
});
