import type { Execution, ExecutionPage, SearchWord } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { allOf } from "../search/text-query.ts";
import { EXECUTION_COLUMNS, toExecution, type ExecutionRow } from "./execution-row.ts";

const MIB = 1024 * 1024;

/** JSON of the executions of one page together; a page of a single execution may be larger. */
export const EXECUTION_PAGE_BYTES_MAX = 8 * MIB;
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
 * Newest first, by the time-ordered id: a page goes on where the one before ended, whatever was added since. It ends at
 * its limit or before `EXECUTION_PAGE_BYTES_MAX`, but never without the first execution; `more` says whether any matches
 * behind its last one. What is fetched and not handed out is one execution at most. Each is shown as it is when it is
 * read, a moment after it matched.
 */
export async function listExecutions(
  { client, byId }: { client: PrismaClient; byId: PrismaClient },
  tenantId: string,
  page: ExecutionPage,
): Promise<{ executions: Execution[]; more: boolean }> {
  const found = await weigh(client, tenantId, page);
  const wanted = found.slice(0, page.limit);
  const executions: Execution[] = [];
  let bytesLeft = EXECUTION_PAGE_BYTES_MAX;
  for (let place = 0; place < wanted.length;) {
    const ids = fitting(wanted.slice(place), bytesLeft);
    place += ids.length;
    for (const { bytes, ...row } of await read(byId, tenantId, ids)) {
      if (bytes > bytesLeft && executions.length > 0) return { executions, more: true };
      executions.push(toExecution(row));
      bytesLeft -= bytes;
    }
  }
  return { executions, more: found.length > wanted.length };
}

interface Weighed {
  id: string;
  weight: number;
}

/** The page by its limit, and one more where there is one. */
async function weigh(client: PrismaClient, tenantId: string, page: ExecutionPage): Promise<Weighed[]> {
  if (page.logWords === undefined) return weighOf(client, Prisma.empty, tenantId, page);
  const logs = keptLogs(tenantId, page.before);
  const said = saying(tenantId, page.logWords);
  const recent = Prisma.sql`(${logs} ORDER BY l.execution_id DESC LIMIT ${RECENT_LOGS}::int)`;
  const found = await weighOf(client, Prisma.sql`JOIN ${recent} AS l ON ${said}`, tenantId, page);
  if (found.length > page.limit) return found;
  return weighOf(client, Prisma.sql`JOIN (${logs}) AS l ON ${said}`, tenantId, page);
}

const weighOf = (
  client: PrismaClient,
  joined: Prisma.Sql,
  tenantId: string,
  page: ExecutionPage,
): Promise<Weighed[]> =>
  client.$queryRaw<Weighed[]>`
    SELECT e.id, ${Prisma.raw(WEIGHT)} AS weight FROM executions AS e ${joined}
    WHERE ${matching(tenantId, page)}
    ORDER BY e.id DESC LIMIT ${page.limit + 1}::int`;

/** As many from the front as weigh no more than `bytesLeft`, but at least one. */
function fitting(weighed: readonly Weighed[], bytesLeft: number): string[] {
  let left = bytesLeft;
  const tooMuch = weighed.findIndex(({ weight }, place) => (left -= weight) < 0 && place > 0);
  return weighed.slice(0, tooMuch === -1 ? weighed.length : tooMuch).map(({ id }) => id);
}

const READ = `/* executions.list */
SELECT ${EXECUTION_COLUMNS}, ${BYTES} AS bytes
FROM executions AS e WHERE e.id = ANY($1) AND e.tenant_id = $2 AND e.erased_at IS NULL ORDER BY e.id DESC`;

const read = (
  byId: PrismaClient,
  tenantId: string,
  ids: string[],
): Promise<(ExecutionRow & { bytes: number })[]> => byId.$queryRawUnsafe(READ, ids, tenantId);

const matching = (tenantId: string, page: ExecutionPage): Prisma.Sql =>
  Prisma.join(
    [
      Prisma.sql`e.tenant_id = ${tenantId} AND e.erased_at IS NULL`,
      ...(page.before === undefined ? [] : [Prisma.sql`e.id < ${page.before}`]),
      ...(page.status === undefined ? [] : [Prisma.sql`e.status = ${page.status}`]),
      ...(page.toolId === undefined ? [] : [Prisma.sql`e.tool_id = ${page.toolId}`]),
      ...(page.toolName === undefined ? [] : [Prisma.sql`e.tool_name = ${page.toolName}`]),
      ...(page.agentId === undefined ? [] : [Prisma.sql`e.context->>'agentId' = ${page.agentId}`]),
      ...(page.errorCode === undefined ? [] : [Prisma.sql`e.error->>'code' = ${page.errorCode}`]),
      // The ids are ordered by time: a range of them reads the right partitions alone.
      ...(page.createdAfter === undefined
        ? []
        : [Prisma.sql`e.id >= execution_id_floor(${page.createdAfter}::timestamptz)`]),
      ...(page.createdBefore === undefined
        ? []
        : [Prisma.sql`e.id < execution_id_floor(${page.createdBefore}::timestamptz)`]),
      ...(page.replayable ? [REPLAYABLE] : []),
    ],
    " AND ",
  );

/**
 * Logs that are looked through one by one, newest first, before the index of words is asked: of a word that most logs have it
 * finds them all (6 µs each), and nothing tells how many those are, since PostgreSQL keeps no statistics of long word lists.
 */
const RECENT_LOGS = 1_000;

/** Behind every `exe_…`. */
const LAST = "exf";

const keptLogs = (tenantId: string, before = LAST): Prisma.Sql =>
  Prisma.sql`SELECT l.execution_id, l.words FROM execution_logs AS l
    WHERE l.tenant_id = ${tenantId} AND l.kept_until > now() AND l.execution_id < ${before}`;

/** Whether log `l` of the tenant's is of execution `e` and has these words. */
const saying = (tenantId: string, words: readonly SearchWord[]): Prisma.Sql =>
  Prisma.sql`l.execution_id = e.id AND l.words @@ ${allOf(tenantId, words)}::tsquery`;

const REPLAYABLE = Prisma.sql`e.tool_id IS NOT NULL AND e.parent_id IS NULL AND e.finished_at IS NOT NULL
  AND e.retention->>'arguments' IS DISTINCT FROM 'none' AND NOT coalesce('arguments' = ANY(e.erased), false)
  AND NOT EXISTS (SELECT FROM executions AS r WHERE r.replay_of = e.id)`;
