import type { Execution, ExecutionFilter } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { EXECUTION_COLUMNS, toExecution, type ExecutionRow } from "./execution-row.ts";
import { allOf, conditionsOf } from "./filter-conditions.ts";

const MIB = 1024 * 1024;

/** JSON of the executions of one answer together; an answer of a single execution may be larger. */
export const REPLAYED_BYTES_MAX = 8 * MIB;
/** Where guessing stops: arguments fill a request of 2 MiB at most, and a result's highest ceiling is 4 MiB. */
const GUESSED_BYTES_MAX = 6 * MIB;
/** The JSON of an execution besides its own JSON columns: ids, names, times, usage, timings. */
const OTHER_FIELDS_BYTES = 2_048;
/**
 * How much larger than its stored size a compressed value can be at most. pglz writes 3 bytes and a bit for up to 273,
 * lz4 one byte for up to 255. A small stored size alone says nothing: 170 KB of one letter are stored in less than 2 KB.
 */
const GROWTH_MAX = { pglz: 88, lz4: 256 } as const;

const COLUMNS = ["arguments", "context", "result", "error", "approval"] as const;
const sumOver = (bytesOf: (column: string) => string): string =>
  COLUMNS.map((column) => `coalesce(${bytesOf(`e.${column}`)}, 0)`).join(" + ");

/** An upper guess that reads no value: both functions look at its header, or at the pointer to where it is stored. */
const WEIGHT = `least(${GUESSED_BYTES_MAX}, ${sumOver(
  (column) => `pg_column_size(${column})::bigint * CASE pg_column_compression(${column})
    WHEN 'pglz' THEN ${GROWTH_MAX.pglz} WHEN 'lz4' THEN ${GROWTH_MAX.lz4} ELSE 1 END`,
)})::int + ${OTHER_FIELDS_BYTES}`;
const BYTES = `(${sumOver((column) => `octet_length(${column}::text)`)})::int + ${OTHER_FIELDS_BYTES}`;

/**
 * Calls that can be made again, newest first: up to the limit or before `REPLAYED_BYTES_MAX`, but never without the first
 * one. What is fetched and not handed out is one execution at most. Each is as it is when it is read, a moment after it
 * matched.
 */
export async function listReplayable(
  { client, byId }: { client: PrismaClient; byId: PrismaClient },
  tenantId: string,
  filter: ExecutionFilter,
  limit: number,
): Promise<Execution[]> {
  const wanted = await weigh(client, tenantId, filter, limit);
  const executions: Execution[] = [];
  let bytesLeft = REPLAYED_BYTES_MAX;
  for (let place = 0; place < wanted.length;) {
    const ids = fitting(wanted.slice(place), bytesLeft);
    place += ids.length;
    for (const { bytes, ...row } of await read(byId, tenantId, ids)) {
      if (bytes > bytesLeft && executions.length > 0) return executions;
      executions.push(toExecution(row));
      bytesLeft -= bytes;
    }
  }
  return executions;
}

interface Weighed {
  id: string;
  weight: number;
}

const weigh = (
  client: PrismaClient,
  tenantId: string,
  filter: ExecutionFilter,
  limit: number,
): Promise<Weighed[]> =>
  client.$queryRaw<Weighed[]>`
    SELECT e.id, ${Prisma.raw(WEIGHT)} AS weight FROM executions AS e
    WHERE ${allOf([Prisma.sql`e.tenant_id = ${tenantId} AND e.erased_at IS NULL`, ...conditionsOf(filter), REPLAYABLE])}
    ORDER BY e.id DESC LIMIT ${limit}::int`;

/** As many from the front as weigh no more than `bytesLeft`, but at least one. */
function fitting(weighed: readonly Weighed[], bytesLeft: number): string[] {
  let left = bytesLeft;
  const tooMuch = weighed.findIndex(({ weight }, place) => (left -= weight) < 0 && place > 0);
  return weighed.slice(0, tooMuch === -1 ? weighed.length : tooMuch).map(({ id }) => id);
}

const READ = `/* executions.list_replayable */
SELECT ${EXECUTION_COLUMNS}, ${BYTES} AS bytes
FROM executions AS e WHERE e.id = ANY($1) AND e.tenant_id = $2 AND e.erased_at IS NULL ORDER BY e.id DESC`;

const read = (
  byId: PrismaClient,
  tenantId: string,
  ids: string[],
): Promise<(ExecutionRow & { bytes: number })[]> => byId.$queryRawUnsafe(READ, ids, tenantId);

const REPLAYABLE = Prisma.sql`e.tool_id IS NOT NULL AND e.parent_id IS NULL AND e.finished_at IS NOT NULL
  AND e.retention->>'arguments' IS DISTINCT FROM 'none' AND NOT coalesce('arguments' = ANY(e.erased), false)
  AND NOT EXISTS (SELECT FROM executions AS r WHERE r.replay_of = e.id)`;
