import { auditActorOf, newAuditId, type AuditDeed, type AuditLog, type AuditStore } from "@bulkhead/core";

export interface AuditLogDeps {
  auditEntries: Pick<AuditStore, "insert">;
  report: (what: string, error: unknown) => void;
}

/** The log over its store. An entry that can't be stored is reported with all its fields. */
export const auditLog = ({ auditEntries, report }: AuditLogDeps): AuditLog => ({
  async record(by, tenantId, ...deeds) {
    if (deeds.length === 0) return;
    const actor = auditActorOf(by);
    const entries = deeds.map((deed) => ({ ...EMPTY, ...deed, ...actor, tenantId, entryId: newAuditId() }));
    try {
      await auditEntries.insert(entries);
    } catch (cause) {
      const said = JSON.stringify(entries.slice(0, REPORTED_MAX));
      const what = `a change was made that the audit log does not have (${entries.length} entries): ${said}`;
      report(what, cause);
    }
  },
});

const EMPTY = {
  name: null,
  beforeHash: null,
  afterHash: null,
  details: {},
} as const satisfies Partial<AuditDeed>;

/** A replay by filter makes many entries at once; a report names so many of them. */
const REPORTED_MAX = 20;
