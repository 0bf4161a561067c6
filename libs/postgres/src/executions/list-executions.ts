import type { ExecutionPage, ExecutionSummary, ListedExecutions, SearchWord } from "@bulkhead/core";
import { columns } from "../columns.ts";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { allOf as allWordsOf } from "../search/text-query.ts";
import { is } from "./by-id.ts";
import { BEGUN_FIELDS, END_FIELDS, toFacts, type FactsRow } from "./execution-row.ts";
import { allOf, conditionsOf } from "./filter-conditions.ts";
import { findPage, type FoundPage } from "./find-page.ts";

const { arguments: _given, approval: _asked, ...BEGUN_FACTS } = BEGUN_FIELDS;

/** The bytes of what was written before they were counted are counted here, which reads it. */
export const LIST = `/* executions.list */
SELECT e.id AS "executionId", ${columns("e", { ...BEGUN_FACTS, ...END_FIELDS })}, e.approval - 'askedJson' AS approval,
  coalesce(e.arguments_bytes, octet_length(e.arguments::text)) AS "argumentsBytes",
  coalesce(e.result_bytes, octet_length(e.result::text), octet_length('null')) AS "resultBytes"
FROM executions AS e WHERE e.id = ANY($1) AND ${is("e.tenant_id", "$2")} AND e.erased_at IS NULL ORDER BY e.id DESC`;

type SummaryRow = FactsRow & Pick<ExecutionSummary, "argumentsBytes" | "resultBytes">;

/**
 * Newest first, by the time-ordered id: a page goes on where the one before ended, whatever was added since. Each is shown
 * as it is when it is read, a moment after it matched.
 */
export async function listExecutions(
  { client, byId }: { client: PrismaClient; byId: PrismaClient },
  tenantId: string,
  { logWords, ...page }: ExecutionPage,
): Promise<ListedExecutions> {
  const { ids, next, scanned } = await (logWords
    ? findByLogs(client, tenantId, page, logWords)
    : findPage(client, tenantId, page));
  const rows = ids.length > 0 ? await byId.$queryRawUnsafe<SummaryRow[]>(LIST, ids, tenantId) : [];
  return { executions: rows.map(toSummary), next, scanned };
}

const toSummary = ({ argumentsBytes, resultBytes, ...row }: SummaryRow): ExecutionSummary => ({
  ...toFacts(row),
  argumentsBytes,
  resultBytes,
});

/**
 * Logs that are looked through one by one, newest first, before the index of words is asked: of a word that most logs have it
 * finds them all (6 µs each), and nothing tells how many those are, since PostgreSQL keeps no statistics of long word lists.
 */
const RECENT_LOGS = 1_000;

/** Behind every `exe_…`. */
const LAST = "exf";

async function findByLogs(
  client: PrismaClient,
  tenantId: string,
  page: ExecutionPage,
  words: readonly SearchWord[],
): Promise<FoundPage> {
  const { before = LAST, limit, ...filter } = page;
  const logs = Prisma.sql`SELECT l.execution_id, l.words FROM execution_logs AS l
    WHERE l.tenant_id = ${tenantId} AND l.kept_until > now() AND l.execution_id < ${before}`;
  const find = (from: Prisma.Sql): Promise<{ id: string }[]> => client.$queryRaw`
    SELECT e.id FROM executions AS e
    JOIN (${from}) AS l ON l.execution_id = e.id AND l.words @@ ${allWordsOf(tenantId, words)}::tsquery
    WHERE ${allOf([Prisma.sql`e.tenant_id = ${tenantId} AND e.erased_at IS NULL AND e.id < ${before}`, ...conditionsOf(filter)])}
    ORDER BY e.id DESC LIMIT ${limit + 1}::int`;
  const recent = await find(Prisma.sql`${logs} ORDER BY l.execution_id DESC LIMIT ${RECENT_LOGS}::int`);
  const found = recent.length > limit ? recent : await find(logs);
  const ids = found.slice(0, limit).map(({ id }) => id);
  return { ids, next: found.length > limit ? (ids.at(-1) ?? null) : null, scanned: null };
}
