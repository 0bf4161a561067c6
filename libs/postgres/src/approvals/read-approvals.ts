import {
  approvalIdOf,
  type Approval,
  type ApprovalAnswer,
  type ApprovalStatus,
  type ExecutionKey,
  type ExecutionStatus,
  type Json,
} from "@bulkhead/core";
import { strict as assert } from "node:assert";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { readContext, readObject } from "../stored-json.ts";
import { readApproval } from "./approval-json.ts";

interface ApprovalRow {
  id: string;
  tenant_id: string;
  tool_id: string;
  tool_name: string;
  tool_version: number;
  arguments: Json;
  context: Json;
  requested_by: string;
  created_at: Date;
  status: ExecutionStatus;
  is_over: boolean;
  approval: Json;
  callback_url: string | null;
}

const COLUMNS = Prisma.raw(`e.id, e.tenant_id, e.tool_id, e.tool_name, e.tool_version, e.arguments, e.context,
  e.requested_by, e.created_at, e.status, e.deadline_at <= now() AS is_over, e.approval, e.callback->>'url' AS callback_url`);

export async function findApproval(
  client: PrismaClient,
  { tenantId, executionId }: ExecutionKey,
): Promise<Approval | null> {
  const [row] = await client.$queryRaw<ApprovalRow[]>`
    SELECT ${COLUMNS} FROM executions AS e
    WHERE e.id = ${executionId} AND e.tenant_id = ${tenantId} AND e.approval IS NOT NULL`;
  return row ? toApproval(row) : null;
}

/** What has expired and was not swept yet can't be answered any more, so it is not listed. */
export async function listWaiting(
  client: PrismaClient,
  tenantId: string,
  page: { agentId?: string; before?: string; limit: number },
): Promise<Approval[]> {
  const behind = page.before === undefined ? Prisma.sql`true` : Prisma.sql`e.id < ${page.before}`;
  const madeFor =
    page.agentId === undefined ? Prisma.sql`true` : Prisma.sql`e.context->>'agentId' = ${page.agentId}`;
  const rows = await client.$queryRaw<ApprovalRow[]>`
    SELECT ${COLUMNS} FROM executions AS e
    WHERE e.tenant_id = ${tenantId} AND e.status = 'awaiting_approval' AND e.deadline_at > now()
      AND ${behind} AND ${madeFor}
    ORDER BY e.id DESC LIMIT ${page.limit}::int`;
  return rows.map(toApproval);
}

/** Calls of tools and of meta-tools together: it is one person's attention that they wait for. */
export async function countWaiting(client: PrismaClient, tenantId: string, max: number): Promise<number> {
  const [row] = await client.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM executions WHERE tenant_id = ${tenantId} AND status = 'awaiting_approval'
      UNION ALL
      SELECT FROM meta_tool_approvals WHERE tenant_id = ${tenantId} AND answer IS NULL
      LIMIT ${max}::int) AS waiting`;
  return row?.count ?? 0;
}

function toApproval(row: ApprovalRow): Approval {
  const approval = readApproval(row.approval);
  assert(approval, "only rows with an approval are read here");
  return {
    approvalId: approvalIdOf(row.id),
    tenantId: row.tenant_id,
    executionId: row.id,
    toolId: row.tool_id,
    toolName: row.tool_name,
    toolVersion: row.tool_version,
    arguments: readObject(row.arguments),
    context: readContext(row.context),
    callbackUrl: row.callback_url,
    requestedBy: row.requested_by,
    createdAt: row.created_at,
    expiresAt: approval.expiresAt,
    status: statusOf(row, approval.answer?.answer),
    answer: approval.answer,
  };
}

const ANSWERED = {
  allow_once: "allowed",
  allow_always: "allowed",
  deny: "denied",
  expire: "expired",
} as const satisfies Record<ApprovalAnswer, ApprovalStatus>;

function statusOf({ status, is_over }: ApprovalRow, answer: ApprovalAnswer | undefined): ApprovalStatus {
  if (answer) return ANSWERED[answer];
  if (status !== "awaiting_approval") return "cancelled";
  return is_over ? "expired" : "waiting";
}
