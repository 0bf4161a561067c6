import type { Admission } from "@bulkhead/core";
import { readTenantLimits, readToolDispatch, type Json } from "../stored-json.ts";
import { is } from "./by-id.ts";

/**
 * The columns of a queued execution `e` with its tenant `n` and its tool `t`, named as `AdmissionRow` has them. Times are kept
 * in whole milliseconds, rounded up or down: less than one is no delay, which would cost an execution its turn.
 */
export const ADMISSION_COLUMNS = `
  e.id AS "executionId", e.tenant_id AS "tenantId", e.attempt, e.priority, e.tool_id AS "toolId",
  greatest(0, floor(extract(epoch FROM e.not_before - now()) * 1000))::float8 AS "delayMs",
  n.limits, n.updated_at AS "limitsAsOf", t.dispatch`;

export const ADMISSION_JOINS = `
  LEFT JOIN tenants AS n ON n.id = e.tenant_id
  LEFT JOIN tools AS t ON t.id = e.tool_id AND ${is("t.tenant_id", "e.tenant_id")}`;

export interface AdmissionRow {
  executionId: string;
  tenantId: string;
  attempt: number;
  priority: number;
  toolId: string | null;
  delayMs: number | null;
  limits: Json;
  limitsAsOf: Date | null;
  dispatch: Json;
}

/** A queued row, as the attempt that is to be handed out: the one after those that were tried. */
export function toAdmission(row: AdmissionRow): Admission {
  const { executionId, tenantId, attempt, priority, toolId, limitsAsOf: asOf } = row;
  const dispatch = readToolDispatch(row.dispatch);
  return {
    executionId,
    tenantId,
    attempt: attempt + 1,
    current: asOf && { limits: readTenantLimits(row.limits), asOf },
    priority,
    delayMs: row.delayMs ?? 0,
    tool: toolId !== null && dispatch !== null ? { id: toolId, ...dispatch } : null,
  };
}
