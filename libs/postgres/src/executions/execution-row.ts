import {
  EXECUTION_SOURCES,
  readJson,
  ENDING_LAYERS,
  type Execution,
  type ExecutionSource,
} from "@bulkhead/core";
import { readApproval } from "../approvals/approval-json.ts";
import { columns } from "../columns.ts";
import type { Prisma } from "../generated/client.ts";
import {
  readContext,
  readErased,
  readError,
  readObject,
  readTimings,
  readUsage,
  type Json,
} from "../stored-json.ts";

/** The columns that an execution has from its beginning, or gets by its claim. */
export const BEGUN_FIELDS = {
  tenantId: true,
  toolId: true,
  toolName: true,
  toolVersion: true,
  context: true,
  arguments: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
  deadlineAt: true,
  attempt: true,
  traceId: true,
  source: true,
  client: true,
  requestedBy: true,
  parentId: true,
  priority: true,
  notBefore: true,
  replayOf: true,
  scheduleId: true,
  approval: true,
} as const satisfies Prisma.ExecutionSelect;

const END_FIELDS = {
  status: true,
  error: true,
  usage: true,
  timings: true,
  endEventId: true,
  endedBy: true,
  erased: true,
  accessTokenId: true,
} as const satisfies Prisma.ExecutionSelect;

/** Of an execution `e`, as `ExecutionRow` has them. */
export const EXECUTION_COLUMNS = `e.id AS "executionId", ${columns("e", { ...BEGUN_FIELDS, ...END_FIELDS })},
  e.result::text AS result`;

type JsonField = "context" | "arguments" | "error" | "usage" | "timings" | "approval";

export interface ExecutionRow
  extends
    Omit<Execution, JsonField | "source" | "result" | "erased" | "endedBy" | "accessTokenId">,
    Record<JsonField, Json> {
  source: string | null;
  accessTokenId?: string | null;
  /** JSON. */
  result: string | null;
  endedBy: string | null;
  erased: string[] | null;
}

export const toExecution = ({ accessTokenId, ...row }: ExecutionRow): Execution => ({
  ...row,
  ...(accessTokenId && { accessTokenId }),
  source: sourceOf(row),
  context: readContext(row.context),
  arguments: readObject(row.arguments),
  result: row.result === null ? null : readJson(row.result),
  error: readError(row.error),
  usage: readUsage(row.usage),
  timings: readTimings(row.timings),
  approval: readApproval(row.approval),
  erased: readErased(row.erased),
  endedBy: ENDING_LAYERS.find((layer) => layer === row.endedBy) ?? null,
});

/** Of executions from before it was stored, as far as the row tells. */
function sourceOf({
  source,
  parentId,
  scheduleId,
  replayOf,
}: Pick<ExecutionRow, "source" | "parentId" | "scheduleId" | "replayOf">): ExecutionSource {
  const stored = EXECUTION_SOURCES.find((known) => known === source);
  if (stored) return stored;
  if (parentId !== null) return "tool";
  if (scheduleId !== null) return "schedule";
  return replayOf === null ? "rest" : "replay";
}
