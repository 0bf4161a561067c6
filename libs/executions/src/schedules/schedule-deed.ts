import type { AuditAction, AuditDeed, AuditDetails, Schedule } from "@bulkhead/core";

/** The entry of the audit log for a schedule: it names the tool, never the arguments. */
export const deedOf = (
  { scheduleId, name, toolId, toolName }: Schedule,
  action: Extract<AuditAction, `schedule.${string}`>,
  details: AuditDetails = {},
): AuditDeed => ({ action, id: scheduleId, name, details: { toolId, toolName, ...details } });
