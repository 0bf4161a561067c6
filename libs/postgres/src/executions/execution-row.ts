import {
  EXECUTION_SOURCES,
  type ExecutionSource,
  readJson,
  ENDING_LAYERS,
  type Execution,
  type ExecutionFacts,
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

export const END_FIELDS = {
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

type FactsJson = "context" | "error" | "usage" | "timings" | "approval";

/** A row without its payloads. */
export interface FactsRow
  extends
    Omit<ExecutionFacts, FactsJson | "source" | "erased" | "endedBy" | "accessTokenId">,
    Record<FactsJson, Json> {
  source: string;
  accessTokenId?: string | null;
  endedBy: string | null;
  erased: string[] | null;
}

export interface ExecutionRow extends FactsRow {
  arguments: Json;
  /** JSON. */
  result: string | null;
}

/** What made it; of executions from before that was put down, a request. */
export const readSource = (source: string): ExecutionSource =>
  EXECUTION_SOURCES.find((one) => one === source) ?? "rest";

export const toFacts = ({ accessTokenId, ...row }: FactsRow): ExecutionFacts => ({
  ...row,
  ...(accessTokenId && { accessTokenId }),
  source: readSource(row.source),
  context: readContext(row.context),
  error: readError(row.error),
  usage: readUsage(row.usage),
  timings: readTimings(row.timings),
  approval: readApproval(row.approval),
  erased: readErased(row.erased),
  endedBy: ENDING_LAYERS.find((layer) => layer === row.endedBy) ?? null,
});

export const toExecution = ({ arguments: given, result, ...row }: ExecutionRow): Execution => ({
  ...toFacts(row),
  arguments: readObject(given),
  result: result === null ? null : readJson(result),
});
