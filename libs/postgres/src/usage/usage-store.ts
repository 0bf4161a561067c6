import { strict as assert } from "node:assert";
import {
  type UsagePage,
  type UsageQuestion,
  type UsageRow,
  type UsageStore,
  type UsageSum,
  Fault,
} from "@bulkhead/core";
import type { Pool } from "pg";
import { faulting, QUERY_CANCELED, sqlStateOf } from "../sql-trouble.ts";
import { cancellableQuery } from "./cancellable-query.ts";
import { TenantTurns } from "./turns.ts";
import { usageQuery } from "./usage-query.ts";

/** One reads up to all executions of a month: it must not take the connections of those who list or look up. */
const TURNS = { atOnceMax: 2, waitingPerTenantMax: 2, tenantsWaitingMax: 64 };

/** Sums over executions in PostgreSQL. What it throws is a Fault. */
export function openUsageStore(pool: Pool): UsageStore {
  const turns = new TenantTurns(TURNS);
  return {
    sum: (tenantId, question, signal) =>
      turns.take(tenantId, signal, () => faulting(() => sum(pool, tenantId, question, signal))),
  };
}

interface Row {
  day: string;
  tool: string;
  tool_name: string | null;
  sums: UsageSum;
}

async function sum(
  pool: Pool,
  tenantId: string,
  question: UsageQuestion,
  signal: AbortSignal,
): Promise<UsagePage | null> {
  const found = await cancellableQuery<Row>(pool, usageQuery(tenantId, question), signal).catch(tellTooMuch);
  if (found === null) return null;
  const [total, ...groups] = found;
  assert(total, "a sum over everything has its row, also over nothing");
  const rows = groups.slice(0, question.limit).map(toRow);
  return { rows, total: total.sums, more: groups.length > question.limit };
}

function tellTooMuch(cause: unknown): never {
  if (sqlStateOf(cause) !== QUERY_CANCELED) throw cause;
  const detail =
    "The period holds more executions than can be added up in time: ask for fewer days (from, to) at a time, or for one tool.";
  throw new Fault("usage.too_much", { detail, cause });
}

const toRow = ({ day, tool, tool_name, sums }: Row): UsageRow => ({
  day,
  toolId: tool === "" ? null : tool,
  toolName: tool_name,
  ...sums,
});
