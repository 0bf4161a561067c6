import type { AuditEntry as PublicEntry } from "@bulkhead/contracts";
import { AUDIT_ACTIONS, type AuditEntry } from "@bulkhead/core";
import type { z } from "zod";

/** What is null is left out. */
export const presentAuditEntry = (entry: AuditEntry): z.infer<typeof PublicEntry> => ({
  id: entry.entryId,
  at: entry.at.toISOString(),
  action: entry.action,
  actor: {
    role: entry.role,
    ...(entry.keyId === null ? {} : { keyId: entry.keyId }),
    ...(entry.agentId === null ? {} : { agentId: entry.agentId }),
  },
  subject: {
    type: AUDIT_ACTIONS[entry.action],
    id: entry.id,
    ...(entry.name === null ? {} : { name: entry.name }),
  },
  ...(entry.beforeHash === null ? {} : { beforeHash: entry.beforeHash }),
  ...(entry.afterHash === null ? {} : { afterHash: entry.afterHash }),
  ...(entry.requestId === null ? {} : { requestId: entry.requestId }),
  details: { ...entry.details } as z.infer<typeof PublicEntry>["details"],
});
