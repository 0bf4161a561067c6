import type { AuditAction, AuditDeed, AuditDetails, Schedule } from "@bulkhead/core";

/** What the audit log is told of a schedule: which tool it calls, never with what. */
export const deedOf = (
  { scheduleId, name, toolId, toolName }: Schedule,
  action: Extract<AuditAction, `schedule.${string}`>,
  details: AuditDetails = {},
): AuditDeed => ({ action, id: scheduleId, name, details: { toolId, toolName, ...details } });
