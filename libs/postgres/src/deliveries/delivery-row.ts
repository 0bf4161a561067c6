import type { Delivery, DeliveryStatus, DeliveryTry, Json } from "@bulkhead/core";
import { readObject } from "../stored-json.ts";

/** The columns of a delivery `d`, named as `DeliveryRow` has them. */
export const DELIVERY_COLUMNS =
  "d.execution_id, d.n, d.tenant_id, d.url, d.status, d.claimed_at, d.due_at, d.tries";

export interface DeliveryRow {
  execution_id: string;
  n: number;
  tenant_id: string;
  url: string;
  status: DeliveryStatus;
  claimed_at: Date | null;
  due_at: Date | null;
  tries: Json;
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    executionId: row.execution_id,
    n: row.n,
    tenantId: row.tenant_id,
    url: row.url,
    status: row.status,
    tries: Array.isArray(row.tries) ? row.tries.map(toTry) : [],
    // While it is being tried, `due_at` is the end of the lease.
    nextTryAt: row.claimed_at === null ? row.due_at : null,
  };
}

function toTry(stored: Json): DeliveryTry {
  const { at, status, error, location, ms } = readObject(stored);
  return {
    at: new Date(typeof at === "string" ? at : 0),
    status: typeof status === "number" ? status : null,
    error: typeof error === "string" ? error : null,
    location: typeof location === "string" ? location : null,
    ms: typeof ms === "number" ? ms : null,
  };
}

/** The tries of `d` with one more at their end, and without the oldest where they are full. `json` is SQL. */
export const withTry = (json: string, keptMax: number): string =>
  `CASE WHEN jsonb_array_length(d.tries) >= ${keptMax} THEN d.tries - 0 ELSE d.tries END || ${json}`;
