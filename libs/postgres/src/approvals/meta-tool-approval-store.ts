import type {
  ApprovalsAsked,
  ApprovalStatus,
  MetaToolApproval,
  MetaToolApprovalKey,
  MetaToolApprovalStore,
  MetaToolOutcome,
  MetaToolRun,
  NewMetaToolApproval,
  PersonsAnswer,
} from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { faulting } from "../sql-trouble.ts";
import { jsonInput } from "../stored-json.ts";
import { COLUMNS, toMetaToolApproval, type MetaToolApprovalRow } from "./meta-tool-approval-row.ts";

/**
 * Meta-tools' calls in PostgreSQL. What it throws is a Fault. All but the insert is SQL: a call expires, and a lease ends, by
 * the database's clock, and an outcome is stored as it was written.
 */
export const openMetaToolApprovalStore = (client: PrismaClient): MetaToolApprovalStore => ({
  insert: (approval) => faulting(() => insert(client, approval)),
  find: (key) => faulting(() => find(client, key)),
  list: (tenantId, asked) => faulting(() => listCalls(client, tenantId, asked)),
  answer: (key, answer) => faulting(() => answerCall(client, key, answer)),
  expireOverdue: (limit) => faulting(() => expireOverdue(client, limit)),
  claim: (key, leaseMs) => faulting(() => claimRun(client, key, leaseMs)),
  listUndone: (forMs, limit) => faulting(() => listUndone(client, forMs, limit)),
  finish: (key, run, outcome) => faulting(() => finishRun(client, key, run, outcome)),
  dropOld: (days, limit) => faulting(() => dropOld(client, days, limit)),
});

async function insert(client: PrismaClient, approval: NewMetaToolApproval): Promise<void> {
  const { approvalId: id, tenantId, name, toolId, requestedBy, agentId, createdAt, expiresAt } = approval;
  const documents = { arguments: jsonInput(approval.arguments), context: jsonInput(approval.context) };
  await client.metaToolApproval.create({
    data: { id, tenantId, name, toolId, requestedBy, agentId, createdAt, expiresAt, ...documents },
    select: { id: true },
  });
}

async function find(
  client: PrismaClient,
  { tenantId, approvalId }: MetaToolApprovalKey,
): Promise<MetaToolApproval | null> {
  const [row] = await client.$queryRaw<MetaToolApprovalRow[]>`
    SELECT ${COLUMNS} FROM meta_tool_approvals AS m WHERE m.id = ${approvalId} AND m.tenant_id = ${tenantId}`;
  return row ? toMetaToolApproval(row) : null;
}

/** A call that has expired and was not swept yet can't be answered any more. Nothing takes such a call back. */
const IS: Readonly<Record<ApprovalStatus, string>> = {
  waiting: "m.answer IS NULL AND m.expires_at > now()",
  allowed: "m.answer = 'allow_once'",
  denied: "m.answer = 'deny'",
  expired: "m.answer = 'expire' OR m.answer IS NULL AND m.expires_at <= now()",
  cancelled: "false",
};

async function listCalls(
  client: PrismaClient,
  tenantId: string,
  { statuses, agentId, before, limit }: ApprovalsAsked,
): Promise<MetaToolApproval[]> {
  const behind = before === undefined ? Prisma.sql`true` : Prisma.sql`m.id < ${before}`;
  const madeFor = agentId === undefined ? Prisma.sql`true` : Prisma.sql`m.agent_id = ${agentId}`;
  const isOne = Prisma.raw(statuses.map((status) => `(${IS[status]})`).join(" OR "));
  const rows = await client.$queryRaw<MetaToolApprovalRow[]>`
    SELECT ${COLUMNS} FROM meta_tool_approvals AS m
    WHERE m.tenant_id = ${tenantId} AND (${isOne}) AND ${behind} AND ${madeFor}
    ORDER BY m.id DESC LIMIT ${limit}::int`;
  return rows.map(toMetaToolApproval);
}

async function answerCall(
  client: PrismaClient,
  { tenantId, approvalId }: MetaToolApprovalKey,
  { answer, by, reason }: PersonsAnswer,
): Promise<boolean> {
  const answered = await client.$executeRaw`
    UPDATE meta_tool_approvals SET answer = ${answer}, answered_by = ${by}, answered_at = now(), answer_reason = ${reason ?? null}::text
    WHERE id = ${approvalId} AND tenant_id = ${tenantId} AND answer IS NULL AND expires_at > now()`;
  return answered === 1;
}

async function expireOverdue(client: PrismaClient, limit: number): Promise<MetaToolApproval[]> {
  const rows = await client.$queryRaw<MetaToolApprovalRow[]>`
    WITH overdue AS (
      SELECT id FROM meta_tool_approvals WHERE answer IS NULL AND expires_at <= now()
      ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE meta_tool_approvals AS m SET answer = 'expire', answered_at = now()
    FROM overdue WHERE m.id = overdue.id
    RETURNING ${COLUMNS}`;
  return rows.map(toMetaToolApproval);
}

/** A call that was allowed and is not done yet is never dropped. */
const dropOld = (client: PrismaClient, days: number, limit: number): Promise<number> => client.$executeRaw`
  DELETE FROM meta_tool_approvals WHERE id IN (
    SELECT id FROM meta_tool_approvals
    WHERE answer IS NOT NULL AND answered_at < now() - ${days}::int * interval '1 day'
      AND (answer <> 'allow_once' OR outcome IS NOT NULL)
    LIMIT ${limit}::int)`;

/** Of several who claim at once one gets it. */
async function claimRun(
  client: PrismaClient,
  { tenantId, approvalId }: MetaToolApprovalKey,
  leaseMs: number,
): Promise<MetaToolRun | null> {
  const [row] = await client.$queryRaw<MetaToolApprovalRow[]>`
    UPDATE meta_tool_approvals AS m
    SET runs = m.runs + 1, lease_until = now() + ${leaseMs}::int * interval '1 ms'
    WHERE m.id = ${approvalId} AND m.tenant_id = ${tenantId} AND m.answer = 'allow_once' AND m.outcome IS NULL
      AND (m.lease_until IS NULL OR m.lease_until <= now())
    RETURNING ${COLUMNS}`;
  return row ? { approval: toMetaToolApproval(row), run: row.runs } : null;
}

async function listUndone(
  client: PrismaClient,
  forMs: number,
  limit: number,
): Promise<MetaToolApprovalKey[]> {
  return client.$queryRaw<MetaToolApprovalKey[]>`
    SELECT id AS "approvalId", tenant_id AS "tenantId" FROM meta_tool_approvals
    WHERE answer = 'allow_once' AND outcome IS NULL AND (lease_until IS NULL OR lease_until <= now())
      AND answered_at <= now() - ${forMs}::int * interval '1 millisecond'
    ORDER BY id LIMIT ${limit}::int`;
}

/** The number of the run is its fencing token: who lost its lease says nothing any more. */
async function finishRun(
  client: PrismaClient,
  { tenantId, approvalId }: MetaToolApprovalKey,
  run: number,
  outcome: MetaToolOutcome,
): Promise<boolean> {
  const done = await client.$executeRaw`
    UPDATE meta_tool_approvals SET outcome = ${JSON.stringify(outcome)}::json, lease_until = NULL
    WHERE id = ${approvalId} AND tenant_id = ${tenantId} AND outcome IS NULL AND runs = ${run}::int`;
  return done === 1;
}
