import {
  APPROVAL_ANSWERS,
  CONFIRMED_META_TOOLS,
  type ApprovalStatus,
  type Json,
  type KeptProblem,
  type MetaToolApproval,
  type MetaToolOutcome,
} from "@bulkhead/core";
import { strict as assert } from "node:assert";
import { Prisma } from "../generated/client.ts";
import { readContext, readObject } from "../stored-json.ts";

export interface MetaToolApprovalRow {
  id: string;
  tenant_id: string;
  name: string;
  tool_id: string;
  arguments: Json;
  context: Json;
  requested_by: string;
  agent_id: string | null;
  created_at: Date;
  expires_at: Date;
  is_over: boolean;
  answer: string | null;
  answered_by: string | null;
  answered_at: Date | null;
  answer_reason: string | null;
  runs: number;
  outcome: Json;
}

export const COLUMNS =
  Prisma.raw(`m.id, m.tenant_id, m.name, m.tool_id, m.arguments, m.context, m.requested_by,
  m.agent_id, m.created_at, m.expires_at, m.expires_at <= now() AS is_over, m.answer, m.answered_by, m.answered_at,
  m.answer_reason, m.runs, m.outcome`);

const ANSWERED: Readonly<Record<string, ApprovalStatus>> = {
  allow_once: "allowed",
  deny: "denied",
  expire: "expired",
};

export function toMetaToolApproval(row: MetaToolApprovalRow): MetaToolApproval {
  const name = CONFIRMED_META_TOOLS.find((known) => known === row.name);
  assert(name, `a meta-tool that this build does not know: ${row.name}`);
  const answer = APPROVAL_ANSWERS.find((known) => known === row.answer);
  return {
    approvalId: row.id,
    tenantId: row.tenant_id,
    name,
    toolId: row.tool_id,
    arguments: readObject(row.arguments),
    context: readContext(row.context),
    requestedBy: row.requested_by,
    agentId: row.agent_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at.toISOString(),
    status: ANSWERED[row.answer ?? ""] ?? (row.is_over ? "expired" : "waiting"),
    answer: answer
      ? {
          answer,
          by: row.answered_by,
          at: row.answered_at?.toISOString() ?? "",
          ...(row.answer_reason === null ? {} : { reason: row.answer_reason }),
        }
      : null,
    outcome: readOutcome(row.outcome),
  };
}

function readOutcome(json: Json): MetaToolOutcome | null {
  if (json === null) return null;
  const { result, problem } = readObject(json);
  return problem === undefined ? { result: readObject(result ?? null) } : { problem: readProblem(problem) };
}

function readProblem(json: Json): KeptProblem {
  const { code, title, status, detail, retryable, errors } = readObject(json);
  return {
    code: typeof code === "string" ? code : "service.internal",
    title: typeof title === "string" ? title : "",
    status: typeof status === "number" ? status : 500,
    detail: typeof detail === "string" ? detail : "",
    retryable: retryable === true,
    errors: Array.isArray(errors) ? errors.map(readObject) : [],
  };
}
