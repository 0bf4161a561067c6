import {
  APPROVAL_ANSWERS,
  CONFIRMED_META_TOOLS,
  type ApprovalStatus,
  type KeptProblem,
  type MetaToolApproval,
  type MetaToolOutcome,
} from "@bulkhead/core";
import { strict as assert } from "node:assert";
import { columns } from "../columns.ts";
import { Prisma } from "../generated/client.ts";
import { readContext, readObject, type Json } from "../stored-json.ts";

const FIELDS = {
  tenantId: true,
  name: true,
  toolId: true,
  arguments: true,
  context: true,
  requestedBy: true,
  agentId: true,
  createdAt: true,
  expiresAt: true,
  answer: true,
  answeredBy: true,
  answeredAt: true,
  answerReason: true,
  runs: true,
  outcome: true,
} as const satisfies Prisma.MetaToolApprovalSelect;

export type MetaToolApprovalRow = Prisma.MetaToolApprovalGetPayload<{ select: typeof FIELDS }> & {
  approvalId: string;
  isOver: boolean;
};

/** Of a call `m`. In SQL, since whether it has expired is judged by the database's clock. */
export const COLUMNS = Prisma.raw(
  `m.id AS "approvalId", ${columns("m", FIELDS)}, m.expires_at <= now() AS "isOver"`,
);

const ANSWERED: Readonly<Record<string, ApprovalStatus>> = {
  allow_once: "allowed",
  deny: "denied",
  expire: "expired",
};

export function toMetaToolApproval(row: MetaToolApprovalRow): MetaToolApproval {
  const { answeredBy, answeredAt, answerReason, isOver, runs: _runs, ...call } = row;
  const name = CONFIRMED_META_TOOLS.find((known) => known === row.name);
  assert(name, `a meta-tool that this build does not know: ${row.name}`);
  const answer = APPROVAL_ANSWERS.find((known) => known === row.answer);
  return {
    ...call,
    name,
    arguments: readObject(row.arguments),
    context: readContext(row.context),
    expiresAt: row.expiresAt.toISOString(),
    status: ANSWERED[row.answer ?? ""] ?? (isOver ? "expired" : "waiting"),
    answer: answer
      ? {
          answer,
          by: answeredBy,
          at: answeredAt?.toISOString() ?? "",
          ...(answerReason === null ? {} : { reason: answerReason }),
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
