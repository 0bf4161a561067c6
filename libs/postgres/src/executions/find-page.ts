import { EXECUTION_STATUSES, type ExecutionFilter, type ExecutionPage } from "@bulkhead/core";
import { Prisma, type PrismaClient } from "../generated/client.ts";
import { allOf, conditionsOf } from "./filter-conditions.ts";

/**
 * Executions that one page looks at along one index, where they have to be narrowed further: entries of an index that has all
 * that is asked for, or rows, of which each may stand on a page of its own.
 */
const SCANNED_MAX = { entries: 10_000, rows: 2_000 } as const;

/** A page by its ids. */
export interface FoundPage {
  ids: string[];
  /** The id behind which the next page begins; null: there is no more. */
  next: string | null;
  /** How many were looked at, where the page ends for that. */
  scanned: number | null;
}

/** The parts of a filter that an index is for, the one that leaves fewest first. */
const INDEXED = [
  "parentId",
  "scheduleId",
  "conversationId",
  "errorCode",
  "agentId",
  "toolId",
  "statuses",
] as const;
type Indexed = (typeof INDEXED)[number];
/** Those whose index has the status before the id: each status is looked through by itself. */
const BY_STATUS: readonly Indexed[] = ["agentId", "toolId", "statuses"];

/** The part by whose index a page is found, and the statuses that are looked through one by one; null: all together. */
export function pathOf(filter: ExecutionFilter): { by: Indexed | null; statuses: readonly string[] | null } {
  const by = INDEXED.find((part) => filter[part] !== undefined) ?? null;
  if (by === null || !BY_STATUS.includes(by)) return { by, statuses: null };
  return { by, statuses: [...new Set(filter.statuses ?? EXECUTION_STATUSES)] };
}

interface FoundRow {
  /** The status that was looked through; empty where all were together. */
  branch: string;
  id: string;
  isWanted: boolean;
  /** The last one that its branch looks at. */
  isEnd: boolean;
}

/** The parts that stand in the indexes of a tenant's and of a tool's executions. */
const IN_ENTRIES: readonly (keyof ExecutionFilter)[] = [
  "statuses",
  "toolId",
  "toolName",
  "toolVersion",
  "requestedBy",
  "source",
  "from",
  "to",
  "minMs",
  "maxMs",
];

/** Whether all that a page along this path is narrowed by stands in the path's index. */
const isCovered = (filter: ExecutionFilter, by: Indexed | null): boolean =>
  (by === null || by === "toolId") &&
  (Object.keys(filter) as (keyof ExecutionFilter)[]).every((part) => IN_ENTRIES.includes(part));

/**
 * One page, newest first, by one index, of which each branch looks at `scannedMax` executions at most. A branch that gets
 * there says so by its last one.
 */
export async function findPage(
  client: PrismaClient,
  tenantId: string,
  page: ExecutionPage,
  bounds: Record<keyof typeof SCANNED_MAX, number> = SCANNED_MAX,
): Promise<FoundPage> {
  const { before, limit, ...filter } = page;
  const { by, statuses } = pathOf(filter);
  const scannedMax = isCovered(filter, by) ? bounds.entries : bounds.rows;
  const { from, to } = filter;
  const along = allOf([
    Prisma.sql`e.tenant_id = ${tenantId}`,
    ...(statuses ? [Prisma.sql`e.status = s.status`] : []),
    ...(by === null || by === "statuses" ? [] : conditionsOf({ [by]: filter[by] })),
    ...conditionsOf({ ...(from && { from }), ...(to && { to }) }),
    ...(before === undefined ? [] : [Prisma.sql`e.id < ${before}`]),
  ]);
  const leftOut = ["from", "to", ...(by ? [by] : []), ...(statuses ? (["statuses"] as const) : [])] as const;
  const wanted = allOf([Prisma.sql`e.erased_at IS NULL`, ...conditionsOf(filter, leftOut)]);
  const find = client.$queryRaw<FoundRow[]>`
    SELECT s.status AS branch, f.id, coalesce(f.is_wanted, false) AS "isWanted", f.n = ${scannedMax}::int AS "isEnd"
    FROM unnest(${[...(statuses ?? [""])]}::text[]) AS s(status) CROSS JOIN LATERAL (
      SELECT l.* FROM (
        SELECT i.*, row_number() OVER () AS n FROM (
          SELECT e.id, ${wanted} AS is_wanted FROM executions AS e WHERE ${along} ORDER BY e.id DESC LIMIT ${scannedMax}::int
        ) AS i
      ) AS l WHERE l.is_wanted OR l.n = ${scannedMax}::int LIMIT ${limit + 1}::int
    ) AS f`;
  const [, rows] = await client.$transaction([client.$queryRaw(ROWS_COUNT), find]);
  return mergeBranches(rows, limit, scannedMax);
}

/**
 * What is looked at is what a page costs, and that is bounded, so rows alone count in the choice of an index: by the pages too,
 * PostgreSQL would take the index of all of a tenant's executions for a status that it thinks frequent, and read it to its end
 * where it is not. A bitmap would be of all that match.
 */
const ROWS_COUNT = Prisma.sql`SELECT set_config('random_page_cost', '0', true), set_config('seq_page_cost', '0', true),
  set_config('enable_bitmapscan', 'off', true)`;

/**
 * The page of what the branches found. Of a branch that is full nothing is known behind its last one, of one that came to its
 * end nothing behind that: no further than the nearest of these does the page reach.
 */
export function mergeBranches(rows: readonly FoundRow[], limit: number, scannedMax: number): FoundPage {
  const branches = [...Map.groupBy(rows, ({ branch }) => branch).values()];
  let known = "";
  for (const branch of branches) {
    const last = branch.toSorted(newestFirst).at(-1);
    const isOpen = branch.some(({ isEnd }) => isEnd) || branch.length > limit;
    if (last && isOpen && last.id > known) known = last.id;
  }
  const found = rows.filter(({ isWanted, id }) => isWanted && id >= known).toSorted(newestFirst);
  const ids = found.slice(0, limit).map(({ id }) => id);
  if (found.length > limit) return { ids, next: ids.at(-1) ?? null, scanned: null };
  if (known === "") return { ids, next: null, scanned: null };
  return { ids, next: known, scanned: ids.length < limit ? scannedMax : null };
}

const newestFirst = (a: FoundRow, b: FoundRow): number => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
