import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditDetails,
  type AuditEntry,
  type AuditPage,
  type AuditRole,
  type AuditStore,
  type NewAuditEntry,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";

interface AuditRow {
  id: string;
  tenant_id: string;
  at: Date;
  action: AuditAction;
  subject_id: string;
  subject_name: string | null;
  role: AuditRole;
  key_id: string | null;
  agent_id: string | null;
  request_id: string | null;
  before_hash: string | null;
  after_hash: string | null;
  details: AuditDetails;
}

/** Audit entries in PostgreSQL. What it throws is a Fault. */
export const openAuditStore = (client: PrismaClient): AuditStore => ({
  insert: (entries) => faulting(() => insertEntries(client, entries)),
  list: (tenantId, page) => faulting(() => listEntries(client, tenantId, page)),
  dropOld: (retentionDays, atOnce) => faulting(() => dropOldEntries(client, retentionDays, atOnce)),
});

async function insertEntries(client: PrismaClient, entries: NewAuditEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({
    id: entry.entryId,
    tenant_id: entry.tenantId,
    action: entry.action,
    subject_type: AUDIT_ACTIONS[entry.action],
    subject_id: entry.id,
    subject_name: entry.name,
    role: entry.role,
    key_id: entry.keyId,
    agent_id: entry.agentId,
    request_id: entry.requestId,
    before_hash: entry.beforeHash,
    after_hash: entry.afterHash,
    details: entry.details,
  }));
  await client.$executeRaw`
    INSERT INTO audit_entries (id, tenant_id, action, subject_type, subject_id, subject_name, role, key_id, agent_id,
      request_id, before_hash, after_hash, details)
    SELECT id, tenant_id, action, subject_type, subject_id, subject_name, role, key_id, agent_id,
      request_id, before_hash, after_hash, details
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id text, tenant_id text, action text,
      subject_type text, subject_id text, subject_name text, role text, key_id text, agent_id text, request_id text,
      before_hash text, after_hash text, details jsonb)`;
}

/** By time, then id; the entry that a page goes on behind must still be there, else it is empty. */
async function listEntries(client: PrismaClient, tenantId: string, page: AuditPage): Promise<AuditEntry[]> {
  const rows = await client.$queryRaw<AuditRow[]>`
    SELECT * FROM audit_entries WHERE ${Prisma.join(conditions(tenantId, page), " AND ")}
    ORDER BY at DESC, id DESC LIMIT ${page.limit}::int`;
  return rows.map(toEntry);
}

function conditions(tenantId: string, page: AuditPage): Prisma.Sql[] {
  const { action, subjectType, subjectId, keyId, from, to, before } = page;
  const asked = [
    action && Prisma.sql`action = ${action}`,
    subjectType && Prisma.sql`subject_type = ${subjectType}`,
    subjectId && Prisma.sql`subject_id = ${subjectId}`,
    keyId && Prisma.sql`key_id = ${keyId}`,
    from && Prisma.sql`at >= ${from}::timestamptz`,
    to && Prisma.sql`at < ${to}::timestamptz`,
    before &&
      Prisma.sql`(at, id) < (SELECT at, id FROM audit_entries WHERE id = ${before} AND tenant_id = ${tenantId})`,
  ];
  return [
    Prisma.sql`tenant_id = ${tenantId}`,
    ...asked.filter((condition) => condition instanceof Prisma.Sql),
  ];
}

async function dropOldEntries(client: PrismaClient, retentionDays: number, atOnce: number): Promise<number> {
  const [row] = await client.$queryRaw<{ dropped: number }[]>`
    SELECT drop_old_audit_entries(${retentionDays}::int, ${atOnce}::int) AS dropped`;
  return row?.dropped ?? 0;
}

const toEntry = (row: AuditRow): AuditEntry => ({
  entryId: row.id,
  tenantId: row.tenant_id,
  at: row.at,
  action: row.action,
  id: row.subject_id,
  name: row.subject_name,
  role: row.role,
  keyId: row.key_id,
  agentId: row.agent_id,
  requestId: row.request_id,
  beforeHash: row.before_hash,
  afterHash: row.after_hash,
  details: row.details,
});
