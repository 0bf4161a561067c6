import { type ExecutionStats, type StatsBucket, Fault } from "@bulkhead/core";
import type { Pool } from "pg";
import { faulting, QUERY_CANCELED, sqlStateOf } from "../sql-trouble.ts";
import { cancellableQuery } from "../usage/cancellable-query.ts";
import { TenantTurns } from "../usage/turns.ts";
import { statsQuery } from "./stats-query.ts";

/** One may read a whole history; the several charts of a page wait for each other. */
const TURNS = { atOnceMax: 2, waitingPerTenantMax: 8, tenantsWaitingMax: 64 };

interface Row {
  at: Date;
  key: string;
  counts: StatsBucket["counts"];
  p50: number | null;
  p95: number | null;
  p99: number | null;
  name: string | null;
  toolName: string | null;
}

/** Counts of executions in PostgreSQL. What it throws is a Fault. */
export function openExecutionStats(pool: Pool): ExecutionStats {
  const turns = new TenantTurns(TURNS);
  return {
    count: (tenantId, question, signal) =>
      turns.take(tenantId, signal, () =>
        faulting(async () => {
          const rows = await cancellableQuery<Row>(pool, statsQuery(tenantId, question), signal).catch(
            tellTooMuch,
          );
          return rows?.map(toBucket) ?? null;
        }),
      ),
  };
}

function tellTooMuch(cause: unknown): never {
  if (sqlStateOf(cause) !== QUERY_CANCELED) throw cause;
  const detail =
    "The period holds more executions than can be counted in time: ask for a shorter one (from, to), or for one tool.";
  throw new Fault("usage.too_much", { detail, cause });
}

const toBucket = ({ at, key, counts, p50, p95, p99, name, toolName }: Row): StatsBucket => ({
  at,
  key: key === "" ? null : key,
  name: toolName ?? name,
  counts,
  p50Ms: p50,
  p95Ms: p95,
  p99Ms: p99,
});
