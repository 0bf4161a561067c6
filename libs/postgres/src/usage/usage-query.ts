import { EXECUTION_STATUSES, type UsageQuestion } from "@bulkhead/core";
import { Prisma } from "../generated/client.ts";

/** The fields of a bill that add up. */
const ADDED = ["cpuMs", "wallMs", "networkRequests", "bytesIn", "bytesOut"] as const;
const PEAK = "memoryPeakMib";
const each = (write: (field: string, place: number) => string): string => ADDED.map(write).join(", ");

const msOf = (row: string): string =>
  `(extract(epoch FROM ${row}.finished_at - ${row}.started_at) * 1000)::float8`;
const billed = (row: string, field: string): string => `(${row}.usage->>'${field}')::float8`;

/**
 * The tries of `e` that are over while it went on, as one array; null for the most, which have none and are not looked up.
 */
const PAST = `CASE WHEN e.attempt > 1 OR e.attempt = 1 AND e.finished_at IS NULL THEN (
    SELECT ARRAY[${each((field) => `sum(${billed("a", field)})`)}, max(${billed("a", PEAK)}), sum(${msOf("a")})]
    FROM execution_attempts AS a WHERE a.execution_id = e.id) END`;
const PAST_PEAK = ADDED.length + 1;
const PAST_MS = ADDED.length + 2;

/** Of the executions `x` of one group. What a tool calls runs in the slot of its caller. */
const GROUP_SUMS = `count(*) AS executions, sum(x.attempt) AS attempts, max(x.id) AS last_id,
  ${EXECUTION_STATUSES.map((status) => `count(*) FILTER (WHERE x.status = '${status}') AS "${status}"`).join(", ")},
  ${each((field, place) => `sum(x."${field}") + coalesce(sum(x.past[${place + 1}]), 0) AS "${field}"`)},
  greatest(max(x."${PEAK}"), max(x.past[${PAST_PEAK}])) AS "${PEAK}",
  coalesce(sum(x.ms) FILTER (WHERE x.is_own), 0) + coalesce(sum(x.past[${PAST_MS}]), 0) AS "workerMs"`;

/** Fractions of a microsecond are noise of adding. */
const rounded = (sum: string): string => `round(coalesce(${sum}, 0)::numeric, 3)`;

/** An object of sums over groups `g`: `add` and `max` make a group's column theirs. */
const sumsJson = (add: (column: string) => string, max: (column: string) => string): string => {
  const added = [...ADDED, "workerMs"]
    .map((field) => `'${field}', ${rounded(add(`g."${field}"`))}`)
    .join(", ");
  const statuses = EXECUTION_STATUSES.map((status) => `'${status}', nullif(${add(`g."${status}"`)}, 0)`).join(
    ", ",
  );
  return `json_build_object('executions', coalesce(${add("g.executions")}, 0), 'attempts', coalesce(${add("g.attempts")}, 0),
    'byStatus', json_strip_nulls(json_build_object(${statuses})), '${PEAK}', ${rounded(max(`g."${PEAK}"`))}, ${added})`;
};
const SUMS_OF_ONE = sumsJson(
  (column) => column,
  (column) => column,
);
const SUMS_OF_ALL = sumsJson(
  (column) => `sum(${column})`,
  (column) => `max(${column})`,
);

/**
 * The sum of the whole period first, then its groups in their order, one more than the limit where there is one. In SQL, so
 * that each execution is read once; a group's name is that of its latest.
 */
export function usageQuery(tenantId: string, question: UsageQuestion): Prisma.Sql {
  const { by, after, limit } = question;
  const day = by.includes("day") ? "(e.created_at AT TIME ZONE 'UTC')::date" : "NULL::date";
  const tool = by.includes("tool") ? "coalesce(e.tool_id, '')" : "''";
  const behind = after
    ? Prisma.sql`(${DAY_TEXT}, g.tool) > (${after.day}, ${after.toolId})`
    : Prisma.sql`true`;
  return Prisma.sql`WITH x AS (
      SELECT e.id, e.status, e.attempt, e.parent_id IS NULL AS is_own, ${Prisma.raw(PAST)} AS past,
        ${Prisma.raw(day)} AS day, ${Prisma.raw(tool)} COLLATE "C" AS tool, ${Prisma.raw(OF_ROW)}
      FROM executions AS e WHERE ${asked(tenantId, question)}
    ), g AS MATERIALIZED (
      SELECT x.day, x.tool, ${Prisma.raw(GROUP_SUMS)} FROM x GROUP BY x.day, x.tool
    ), page AS (
      SELECT g.*, ${DAY_TEXT} AS day_text FROM g WHERE ${behind} ORDER BY g.day, g.tool LIMIT ${limit + 1}::int
    )
    SELECT true AS is_total, '' AS day, '' AS tool, NULL AS tool_name, ${Prisma.raw(SUMS_OF_ALL)} AS sums FROM g
    UNION ALL SELECT false, g.day_text, g.tool, (SELECT l.tool_name FROM executions AS l
      WHERE l.id = g.last_id AND g.tool <> ''), ${Prisma.raw(SUMS_OF_ONE)} FROM page AS g
    ORDER BY is_total DESC, day, tool`;
}

const DAY_TEXT = Prisma.raw(`coalesce(to_char(g.day, 'YYYY-MM-DD'), '') COLLATE "C"`);

const OF_ROW = `${msOf("e")} AS ms, ${[...ADDED, PEAK].map((field) => `coalesce(${billed("e", field)}, 0) AS "${field}"`).join(", ")}`;

/** The ids are ordered by time: a range of them reads the right partitions alone, by the index that has the tenant first. */
const asked = (tenantId: string, { from, to, toolId, toolName }: UsageQuestion): Prisma.Sql =>
  Prisma.join(
    [
      Prisma.sql`e.tenant_id = ${tenantId}`,
      Prisma.sql`e.id >= execution_id_floor(${from}::timestamptz)`,
      Prisma.sql`e.id < execution_id_floor(${to}::timestamptz)`,
      ...(toolId === undefined ? [] : [Prisma.sql`e.tool_id = ${toolId}`]),
      ...(toolName === undefined ? [] : [Prisma.sql`e.tool_name = ${toolName}`]),
    ],
    " AND ",
  );
