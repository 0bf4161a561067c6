import { AuditEntry as Shown, shownAs } from "@bulkhead/contracts";
import { AUDIT_ACTIONS, type AuditEntry } from "@bulkhead/core";

/** An entry of the audit log as people see it. */
export const showAuditEntry = (entry: AuditEntry) =>
  shownAs(Shown, entry, {
    id: entry.entryId,
    actor: {
      role: entry.role,
      keyId: entry.keyId ?? undefined,
      agentId: entry.agentId ?? undefined,
    },
    subject: { type: AUDIT_ACTIONS[entry.action], id: entry.id, name: entry.name ?? undefined },
    details: { ...entry.details } as ReturnType<typeof Shown.parse>["details"],
  });
