import type { Admission, Json } from "@bulkhead/core";
import { readTenantLimits, readToolDispatch } from "../stored-json.ts";
import { is } from "./by-id.ts";

/**
 * The columns of a queued execution `e` with its tenant `n` and its tool `t`, named as `AdmissionRow` has them. Times are kept
 * in whole milliseconds, rounded up or down: less than one is no delay, which would cost an execution its turn.
 */
export const ADMISSION_COLUMNS = `
  e.id, e.tenant_id, e.attempt, e.priority, e.tool_id,
  greatest(0, floor(extract(epoch FROM e.not_before - now()) * 1000))::float8 AS delay_ms,
  n.limits, n.updated_at AS limits_as_of, t.dispatch`;

export const ADMISSION_JOINS = `
  LEFT JOIN tenants AS n ON n.id = e.tenant_id
  LEFT JOIN tools AS t ON t.id = e.tool_id AND ${is("t.tenant_id", "e.tenant_id")}`;

export interface AdmissionRow {
  id: string;
  tenant_id: string;
  attempt: number;
  priority: number;
  tool_id: string | null;
  delay_ms: number | null;
  limits: Json;
  limits_as_of: Date | null;
  dispatch: Json;
}

/** A queued row, as the attempt that is to be handed out: the one after those that were tried. */
export function toAdmission(row: AdmissionRow): Admission {
  const dispatch = readToolDispatch(row.dispatch);
  return {
    executionId: row.id,
    tenantId: row.tenant_id,
    attempt: row.attempt + 1,
    current: row.limits_as_of && { limits: readTenantLimits(row.limits), asOf: row.limits_as_of },
    priority: row.priority,
    delayMs: row.delay_ms ?? 0,
    tool: row.tool_id !== null && dispatch !== null ? { id: row.tool_id, ...dispatch } : null,
  };
}
