import {
  createdAtOf,
  type ExportPage,
  type Json,
  type TenantExportStore,
  type UsageSum,
} from "@bulkhead/core";
import type { PrismaClient } from "../generated/client.ts";
import { faulting, QUERY_CANCELED, sqlStateOf } from "../sql-trouble.ts";
import { usageQuery } from "../usage/usage-query.ts";
import { EXPORTED_TABLES, type TableKind } from "./export-kinds.ts";
import { exportQuery, leastKey } from "./export-query.ts";

/** A tenant's rows, page by page, in PostgreSQL. What it throws is a Fault. */
export const openTenantExportStore = (client: PrismaClient): TenantExportStore => ({
  page: (tenantId, kind, after) =>
    faulting(() =>
      kind === "usage" ? usagePage(client, tenantId, after) : tablePage(client, tenantId, kind, after),
    ),
  logPieces: (tenantId, after) => faulting(() => logPieces(client, tenantId, after)),
});

const QUERIES = new Map<TableKind, string>();

function queryOf(kind: TableKind): string {
  const made = QUERIES.get(kind) ?? exportQuery(EXPORTED_TABLES[kind]);
  QUERIES.set(kind, made);
  return made;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Only this process writes cursors. */
function readCursor(after: string): string[] {
  const parts: Json = JSON.parse(after);
  return Array.isArray(parts) ? parts.filter(isText) : [];
}

/** Line breaks between the values of a stored document mean nothing, and inside of one there can be none. */
const oneLine = (json: string): string => json.replaceAll(/[\r\n]/g, " ");

async function tablePage(
  client: PrismaClient,
  tenantId: string,
  kind: TableKind,
  after: string | null,
): Promise<ExportPage> {
  const behind = after === null ? leastKey(EXPORTED_TABLES[kind]) : readCursor(after);
  const rows = await client.$queryRawUnsafe<{ key: string[]; line: string }[]>(
    queryOf(kind),
    tenantId,
    ...behind,
  );
  const last = rows.at(-1);
  return { lines: rows.map(({ line }) => oneLine(line)), next: last ? JSON.stringify(last.key) : null };
}

/** A page of a reader each: up to 256 KiB of text, or one event. */
const PIECES_MAX = 8;

// In SQL, since a page is cut within a log by two columns. A log has a piece, so that the logs which are looked at have
// enough of them.
const LOG_PIECES = `/* tenants.export logs */
SELECT p.execution_id, p.n, p.packed FROM (
  SELECT execution_id FROM execution_logs WHERE tenant_id = $1 AND execution_id >= $2 AND kept_until > now()
  ORDER BY execution_id LIMIT ${PIECES_MAX + 1}
) AS l JOIN log_pieces AS p ON p.execution_id = l.execution_id
WHERE (p.execution_id, p.n) > ($2, $3::int) ORDER BY p.execution_id, p.n LIMIT ${PIECES_MAX}`;

async function logPieces(
  client: PrismaClient,
  tenantId: string,
  after: string | null,
): ReturnType<TenantExportStore["logPieces"]> {
  const [executionId = "", n = "-1"] = after === null ? [] : readCursor(after);
  const rows = await client.$queryRawUnsafe<{ execution_id: string; n: number; packed: Uint8Array }[]>(
    LOG_PIECES,
    tenantId,
    executionId,
    Number(n),
  );
  const last = rows.at(-1);
  const next = last ? JSON.stringify([last.execution_id, String(last.n)]) : null;
  return { pieces: rows.map(({ packed }) => packed), next };
}

const DAY_MS = 24 * 3_600_000;
/** Tools of one day in one page. */
const TOOLS_MAX = 200;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The first day with an execution; null: there is none. */
async function firstDay(client: PrismaClient, tenantId: string): Promise<string | null> {
  const first = await client.execution.findFirst({
    where: { tenantId },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  return first ? dayOf(createdAtOf(first.id)) : null;
}

interface UsageRow {
  is_total: boolean;
  day: string;
  tool: string;
  tool_name: string | null;
  sums: UsageSum;
}

/** One day's tools, or the next of them; a day with more executions than can be added up in time says so instead. */
async function usagePage(client: PrismaClient, tenantId: string, after: string | null): Promise<ExportPage> {
  const mark = after === null ? null : readCursor(after);
  const day = mark === null ? await firstDay(client, tenantId) : mark[0];
  if (!day) return { lines: [], next: null };
  const from = new Date(day);
  const to = new Date(from.getTime() + DAY_MS);
  const tomorrow = to.getTime() > Date.now() ? null : JSON.stringify([dayOf(to)]);
  const toolId = mark?.[1];
  const behind = toolId === undefined ? {} : { after: { day, toolId } };
  const query = usageQuery(tenantId, { from, to, by: ["day", "tool"], limit: TOOLS_MAX, ...behind });
  try {
    const rows = (await client.$queryRaw<UsageRow[]>(query)).filter((row) => !row.is_total);
    const shown = rows.slice(0, TOOLS_MAX);
    const last = rows.length > TOOLS_MAX ? shown.at(-1) : undefined;
    return {
      lines: shown.map(({ tool, tool_name: toolName, sums }) =>
        JSON.stringify({ day, toolId: tool === "" ? null : tool, toolName, ...sums }),
      ),
      next: last ? JSON.stringify([day, last.tool]) : tomorrow,
    };
  } catch (error) {
    if (sqlStateOf(error) !== QUERY_CANCELED) throw error;
    return { lines: [JSON.stringify({ day, leftOut: TOO_MUCH })], next: tomorrow };
  }
}

const TOO_MUCH = "The day holds more executions than can be added up in time; executions.ndjson has each.";
