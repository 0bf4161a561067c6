import {
  approvalIdOf,
  type Approval,
  type ApprovalAnswer,
  type ApprovalsAsked,
  type ApprovalStore,
  type ApprovalStatus,
  type ExecutionKey,
  type ExecutionStatus,
} from "@bulkhead/core";
import { strict as assert } from "node:assert";
import { columns } from "../columns.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { readContext, readObject } from "../stored-json.ts";
import { readApproval } from "./approval-json.ts";
import { faulting } from "../sql-trouble.ts";
import { allowExecution } from "./allow-execution.ts";
import { countStandingUses, deleteStanding, listStanding, standingOf } from "./standing-approvals.ts";

/** Approvals of executions in PostgreSQL. What it throws is a Fault. */
export const openApprovalStore = (client: PrismaClient): ApprovalStore => ({
  find: (key) => faulting(() => findApproval(client, key)),
  list: (tenantId, asked) => faulting(() => listApprovals(client, tenantId, asked)),
  countWaiting: (tenantId, max, agentId) => faulting(() => countWaiting(client, tenantId, max, agentId)),
  allow: (key, answer, standing, standingMax) =>
    faulting(() => allowExecution(client, key, answer, standing, standingMax)),
  standingOf: (tenantId, toolId, version) => faulting(() => standingOf(client, tenantId, toolId, version)),
  countStandingUses: (uses) => faulting(() => countStandingUses(client, uses)),
  listStanding: (tenantId, page) => faulting(() => listStanding(client, tenantId, page)),
  deleteStanding: (tenantId, standingId) => faulting(() => deleteStanding(client, tenantId, standingId)),
});

const FIELDS = {
  id: true,
  tenantId: true,
  toolName: true,
  toolVersion: true,
  arguments: true,
  context: true,
  requestedBy: true,
  createdAt: true,
  status: true,
  approval: true,
} as const satisfies Prisma.ExecutionSelect;

interface ApprovalRow extends Omit<Prisma.ExecutionGetPayload<{ select: typeof FIELDS }>, "status"> {
  toolId: string | null;
  status: ExecutionStatus;
  isOver: boolean;
  callbackUrl: string | null;
}

/** In SQL, since whether a call has expired is judged by the database's clock. */
const COLUMNS = Prisma.raw(`${columns("e", { ...FIELDS, toolId: true })}, e.deadline_at <= now() AS "isOver",
  e.callback->>'url' AS "callbackUrl"`);

async function findApproval(
  client: PrismaClient,
  { tenantId, executionId }: ExecutionKey,
): Promise<Approval | null> {
  const [row] = await client.$queryRaw<ApprovalRow[]>`
    SELECT ${COLUMNS} FROM executions AS e
    WHERE e.id = ${executionId} AND e.tenant_id = ${tenantId} AND e.approval IS NOT NULL`;
  return row ? toApproval(row) : null;
}

/** A call that has expired and was not swept yet can't be answered any more. */
const IS: Readonly<Record<ApprovalStatus, string>> = {
  waiting: "e.status = 'awaiting_approval' AND e.deadline_at > now()",
  allowed: "e.approval->>'answer' IN ('allow_once', 'allow_always')",
  denied: "e.approval->>'answer' = 'deny'",
  expired: "(e.approval->>'answer' = 'expire' OR e.status = 'awaiting_approval' AND e.deadline_at <= now())",
  cancelled: "e.status <> 'awaiting_approval' AND e.approval->>'answer' IS NULL",
};

async function listApprovals(
  client: PrismaClient,
  tenantId: string,
  { statuses, agentId, before, limit }: ApprovalsAsked,
): Promise<Approval[]> {
  const behind = before === undefined ? Prisma.sql`true` : Prisma.sql`e.id < ${before}`;
  const madeFor = agentId === undefined ? Prisma.sql`true` : Prisma.sql`e.context->>'agentId' = ${agentId}`;
  const isOne = Prisma.raw(statuses.map((status) => `(${IS[status]})`).join(" OR "));
  const rows = await client.$queryRaw<ApprovalRow[]>`
    SELECT ${COLUMNS} FROM executions AS e
    WHERE e.tenant_id = ${tenantId} AND e.approval IS NOT NULL AND e.erased_at IS NULL AND (${isOne})
      AND ${behind} AND ${madeFor}
    ORDER BY e.id DESC LIMIT ${limit}::int`;
  return rows.map(toApproval);
}

/** Calls of tools and of meta-tools together, since the same people answer both. In SQL, to count both up to `max`. */
async function countWaiting(
  client: PrismaClient,
  tenantId: string,
  max: number,
  agentId: string | undefined,
): Promise<number> {
  const [ofTools, ofMetaTools] =
    agentId === undefined
      ? [Prisma.sql`true`, Prisma.sql`true`]
      : [Prisma.sql`context->>'agentId' = ${agentId}`, Prisma.sql`agent_id = ${agentId}`];
  const [row] = await client.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM executions WHERE tenant_id = ${tenantId} AND status = 'awaiting_approval' AND ${ofTools}
      UNION ALL
      SELECT FROM meta_tool_approvals WHERE tenant_id = ${tenantId} AND answer IS NULL AND ${ofMetaTools}
      LIMIT ${max}::int) AS waiting`;
  return row?.count ?? 0;
}

function toApproval({ id, isOver, status, approval: stored, ...row }: ApprovalRow): Approval {
  const approval = readApproval(stored);
  assert(approval, "only rows with an approval are read here");
  return {
    ...row,
    approvalId: approvalIdOf(id),
    executionId: id,
    arguments: readObject(row.arguments),
    context: readContext(row.context),
    expiresAt: approval.expiresAt,
    status: statusOf(status, isOver, approval.answer?.answer),
    ...(approval.asking && { asking: approval.asking }),
    ...(approval.askedEventId !== undefined && { askedEventId: approval.askedEventId }),
    answer: approval.answer,
  };
}

const ANSWERED = {
  allow_once: "allowed",
  allow_always: "allowed",
  deny: "denied",
  expire: "expired",
} as const satisfies Record<ApprovalAnswer, ApprovalStatus>;

function statusOf(
  status: ExecutionStatus,
  isOver: boolean,
  answer: ApprovalAnswer | undefined,
): ApprovalStatus {
  if (answer) return ANSWERED[answer];
  if (status !== "awaiting_approval") return "cancelled";
  return isOver ? "expired" : "waiting";
}
