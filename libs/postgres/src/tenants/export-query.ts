import type { ExportedTable, KeyType } from "./exported-table.ts";

/** Rows of one page, and of their large columns the bytes as they rest, compressed, or little more: the first row always goes. */
export const EXPORT_ROWS_MAX = 200;
const EXPORT_STORED_BYTES_MAX = 128 * 1024;

const LEAST: Readonly<Record<KeyType, string>> = { text: "", int: "-1", timestamptz: "-infinity" };

const camelCase = (column: string): string =>
  column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** As everywhere in the API: ISO 8601 with milliseconds and Z. */
const moment = (column: string): string =>
  `to_char(t.${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

function fieldsOf({ columns, times, derived = {} }: ExportedTable): string {
  const fields = [
    ...columns.map((column) => [camelCase(column), `t."${column}"`]),
    ...Object.entries(derived),
    ...times.map((column) => [camelCase(column), moment(column)]),
  ];
  return fields.map(([name, sql]) => `${sql} AS "${name}"`).join(", ");
}

/**
 * One page: $1 is the tenant, $2 and on the key behind which it begins. What a large column takes is read from where its value
 * is pointed to; only of the rows that go are the values themselves read. `key` is a row's own, as text.
 */
export function exportQuery(table: ExportedTable): string {
  const columns = table.key.map(([column]) => `t."${column}"`);
  const behind = table.key.map(([, type], place) => `$${place + 2}::text::${type}`);
  const order = columns.join(", ");
  const stored = ["0", ...table.large.map((column) => `coalesce(pg_column_size(t."${column}"), 0)`)];
  return `/* tenants.export ${table.from} */
SELECT ARRAY[${columns.map((column) => `${column}::text`).join(", ")}] AS key,
  (SELECT row_to_json(o) FROM (SELECT ${fieldsOf(table)}) AS o)::text AS line
FROM (
  SELECT t.*, row_number() OVER w AS export_n, sum(t.export_stored) OVER w AS export_total FROM (
    SELECT t.*, ${stored.join(" + ")} AS export_stored FROM ${table.from} AS t
    WHERE ${table.isOwn} AND (${order}) > (${behind.join(", ")})
    ORDER BY ${order} LIMIT ${EXPORT_ROWS_MAX}
  ) AS t WINDOW w AS (ORDER BY ${order})
) AS t
WHERE t.export_n = 1 OR t.export_total <= ${EXPORT_STORED_BYTES_MAX}
ORDER BY ${order}`;
}

/** Before every key. */
export const leastKey = (table: ExportedTable): string[] => table.key.map(([, type]) => LEAST[type]);
