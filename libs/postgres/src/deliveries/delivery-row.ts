import type { Delivery, DeliveryStatus, DeliveryTry } from "@bulkhead/core";
import { columns } from "../columns.ts";
import type { Prisma } from "../generated/client.ts";
import { readObject, type Json } from "../stored-json.ts";

export const DELIVERY_FIELDS = {
  executionId: true,
  n: true,
  tenantId: true,
  url: true,
  status: true,
  claimedAt: true,
  dueAt: true,
  tries: true,
} as const satisfies Prisma.DeliverySelect;

/** Of a delivery `d`, as `DeliveryRow` has them. */
export const DELIVERY_COLUMNS = columns("d", DELIVERY_FIELDS);

export type DeliveryRow = Prisma.DeliveryGetPayload<{ select: typeof DELIVERY_FIELDS }>;

/** While it is being tried, `dueAt` is the end of the lease. */
export const toDelivery = ({ claimedAt, dueAt, status, tries, ...row }: DeliveryRow): Delivery => ({
  ...row,
  // The table's check knows no other.
  status: status as DeliveryStatus,
  tries: Array.isArray(tries) ? tries.map(toTry) : [],
  nextTryAt: claimedAt === null ? dueAt : null,
});

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
