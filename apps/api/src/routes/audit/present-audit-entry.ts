import { AuditEntry as Shown } from "@bulkhead/contracts";
import { AUDIT_ACTIONS, type AuditEntry } from "@bulkhead/core";
import type { z } from "zod";
import { shownAs } from "../../edge/shown-as.ts";

export const presentAuditEntry = (entry: AuditEntry) =>
  shownAs(Shown, entry, {
    id: entry.entryId,
    actor: {
      role: entry.role,
      keyId: entry.keyId ?? undefined,
      agentId: entry.agentId ?? undefined,
    },
    subject: { type: AUDIT_ACTIONS[entry.action], id: entry.id, name: entry.name ?? undefined },
    details: { ...entry.details } as z.infer<typeof Shown>["details"],
  });
