import { STATS_BUCKET_MS, STATS_ERROR_MAX, STATS_GROUPS_MAX, type StatsQuestion } from "@bulkhead/core";
import { Prisma } from "../generated/client.ts";
import { allOf, conditionsOf } from "./filter-conditions.ts";

/**
 * The durations of one cell differ by this factor at most, so that its middle is off by `STATS_ERROR_MAX` at most. To sort
 * the durations of 100,000 executions by themselves takes longer than to read them.
 */
const CELL = 1 + 2 * STATS_ERROR_MAX;

const LN_CELL = Math.log(CELL);
/** The number of the cell of a duration; durations are whole milliseconds, and what took none has a cell of its own. */
const CELL_OF = `CASE WHEN e.finished_at >= e.created_at + interval '1 ms'
  THEN floor(ln(date_part('epoch', e.finished_at - e.created_at) * 1000) / ${LN_CELL})::int
  WHEN e.finished_at IS NOT NULL THEN -1 END`;
/** The middle of a cell, which is rounded to the one whole number in it where it is that narrow. */
const middleOf = (cell: string): string =>
  `CASE WHEN ${cell} < 0 THEN 0 ELSE round(exp((${cell} + 0.5)::float8 * ${LN_CELL})) END`;
const percentile = (share: number): string =>
  middleOf(`min(c.cell) FILTER (WHERE c.upto >= ${share} * c.ended)`);

const GROUP = { status: "e.status", source: "e.source", tool: "coalesce(e.tool_id, e.tool_name)" } as const;

/**
 * Executions are read from the index of their tenant's alone: once for the groups with the most of them, where there may be many
 * groups, and once to be counted into cells by bucket, group, status and duration; the rest is made of the cells. Where the
 * clock went on between an id and its row, the row counts in the last bucket of the period still.
 */
export function statsQuery(
  tenantId: string,
  { filter, from, to, bucket, groupBy }: StatsQuestion,
): Prisma.Sql {
  const bin = (at: string): string =>
    `date_bin(interval '${STATS_BUCKET_MS[bucket]} ms', ${at}, timestamptz 'epoch')`;
  const group = groupBy === null ? "''" : GROUP[groupBy];
  const last = new Date(Math.max(from.getTime(), to.getTime() - 1));
  const wanted = allOf([
    Prisma.sql`e.tenant_id = ${tenantId} AND e.erased_at IS NULL`,
    ...conditionsOf({ ...filter, from, to }),
  ]);
  // There are fewer statuses and sources than groups are told.
  const largest =
    groupBy === "tool"
      ? Prisma.sql`SELECT ${Prisma.raw(group)} AS key, max(e.tool_name) AS name FROM executions AS e WHERE ${wanted}
          GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT ${STATS_GROUPS_MAX}::int`
      : Prisma.sql`SELECT NULL::text AS key, NULL::text AS name WHERE false`;
  const told = groupBy === "tool" ? "coalesce(r.key, '')" : group;
  return Prisma.sql`WITH largest AS MATERIALIZED (${largest}), grouped AS MATERIALIZED (
      SELECT least(${Prisma.raw(bin("e.created_at"))}, ${Prisma.raw(bin("l.at"))}) AS at, ${Prisma.raw(told)} AS key,
        e.status, ${Prisma.raw(CELL_OF)} AS cell, count(*) AS n
      FROM executions AS e LEFT JOIN largest AS r ON r.key = ${Prisma.raw(group)},
        (SELECT ${last}::timestamptz AS at) AS l
      WHERE ${wanted} GROUP BY 1, 2, 3, 4
    ), summed AS (
      SELECT at, key, cell, sum(sum(n)) OVER (PARTITION BY at, key ORDER BY cell) AS upto,
        sum(sum(n)) OVER (PARTITION BY at, key) AS ended
      FROM grouped WHERE cell IS NOT NULL GROUP BY at, key, cell
    ), percentiles AS (
      SELECT c.at, c.key, ${Prisma.raw(percentile(0.5))} AS p50, ${Prisma.raw(percentile(0.95))} AS p95,
        ${Prisma.raw(percentile(0.99))} AS p99
      FROM summed AS c GROUP BY c.at, c.key
    ), statuses AS (
      SELECT at, key, status, sum(n)::float8 AS n FROM grouped GROUP BY at, key, status
    )
    SELECT s.at, s.key, json_object_agg(s.status, s.n) AS counts, p.p50, p.p95, p.p99, r.name,
      (SELECT t.name FROM tools AS t WHERE t.id = s.key AND t.tenant_id = ${tenantId}) AS "toolName"
    FROM statuses AS s LEFT JOIN percentiles AS p ON p.at = s.at AND p.key = s.key LEFT JOIN largest AS r ON r.key = s.key
    GROUP BY s.at, s.key, p.p50, p.p95, p.p99, r.name ORDER BY s.at, s.key`;
}
