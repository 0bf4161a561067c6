import {
  DATA_ORDERED_CHARS,
  type DataAsked,
  type DataCondition,
  type DataDocument,
  type DataField,
  type DataMark,
  type DataPlace,
  type Json,
} from "@bulkhead/core";
import type { Ask } from "../files/file-transaction.ts";
import {
  DOCUMENT_COLUMNS,
  IS_PLACE,
  IS_THERE,
  placeValues,
  toDocument,
  type DocumentRow,
} from "./document-row.ts";

type KeyRow = { rank: number; number: string; text: string };
type PageRow = DocumentRow & KeyRow & { is_more: boolean };

/** Null: there is no such collection. */
export async function findCollection(ask: Ask, place: DataPlace): Promise<string | null> {
  const [found] = await ask<{ id: string }>(
    `/* data.collection */ SELECT c.id FROM data_collections AS c WHERE ${IS_PLACE}`,
    placeValues(place),
  );
  return found?.id ?? null;
}

/** Of the next documents so many that their bytes together stay within the bound, or one. */
export async function queryDocuments(
  ask: Ask,
  tenantId: string,
  collectionId: string,
  { where, orderBy, after, limit, bytesMax }: DataAsked,
): Promise<{ documents: DataDocument[]; next: DataMark | null }> {
  const { values, value, conditions } = within(tenantId, collectionId, where);
  const { field } = orderBy;
  // OFFSET keeps it from being looked for again wherever it is named.
  const ordered =
    field.kind === "value"
      ? ` CROSS JOIN LATERAL (SELECT ${jsonOf(field.path, collectionId, value)} AS json OFFSET 0) AS o`
      : "";
  const key = sortKey(field);
  const way = orderBy.isDescending ? "DESC" : "ASC";
  if (after !== null) conditions.push(isBehind(key, after, orderBy.isDescending, value));
  const order = [...key.map((part) => `${part.sql} ${way}`), `d.id ${way}`].join(", ");
  const part = (name: keyof KeyRow, none: string): string =>
    `${key.find((one) => one.name === name)?.sql ?? none} AS ${name}`;
  const shown = [part("rank", "0"), part("number", "0"), part("text", "''")];
  const at = value(limit);
  const rows = await ask<PageRow>(
    `/* data.query */ WITH first AS MATERIALIZED (
      SELECT d.*, ${shown.join(", ")} FROM data_documents AS d${ordered} WHERE ${conditions.join(" AND ")}
      ORDER BY ${order} LIMIT ${at}::int + 1
    ), next AS (
      SELECT d.*, row_number() OVER (ORDER BY ${key.map(({ name }) => `d.${name} ${way}, `).join("")}d.id ${way}) AS place
      FROM first AS d
    ), summed AS (
      SELECT n.*, sum(n.bytes) OVER (ORDER BY n.place) AS sum, count(*) OVER () AS found FROM next AS n
    )
    SELECT ${DOCUMENT_COLUMNS}, d.rank, d.number::text AS number, d.text, d.found > count(*) OVER () AS is_more FROM summed AS d
    WHERE d.place <= ${at}::int AND (d.place = 1 OR d.sum <= ${value(bytesMax)}::float8) ORDER BY d.place`,
    values,
  );
  const last = rows.at(-1);
  const next = last?.is_more ? { rank: last.rank, number: last.number, text: last.text, id: last.id } : null;
  return { documents: rows.map(toDocument), next };
}

export async function countDocuments(
  ask: Ask,
  tenantId: string,
  collectionId: string,
  where: readonly DataCondition[],
): Promise<number> {
  const { values, conditions } = within(tenantId, collectionId, where);
  const [row] = await ask<{ count: number }>(
    `/* data.count */ SELECT count(*)::float8 AS count FROM data_documents AS d WHERE ${conditions.join(" AND ")}`,
    values,
  );
  return row?.count ?? 0;
}

type Value = (given: unknown) => string;

function within(tenantId: string, collectionId: string, where: readonly DataCondition[]) {
  const values: unknown[] = [];
  const value: Value = (given) => `$${values.push(given)}`;
  const conditions = [
    `d.tenant_id = ${value(tenantId)}`,
    `d.collection_id = ${value(collectionId)}`,
    IS_THERE,
  ];
  for (const condition of where) conditions.push(toSql(condition, collectionId, value));
  return { values, value, conditions };
}

/** The field's JSON; names alone are followed, never the places of a list. */
const jsonOf = (path: readonly string[], collectionId: string, value: Value): string =>
  `(d.body${[collectionId, ...path].map((name) => ` -> ${value(name)}::text`).join("")})`;

/** The least body that has this in the field: what the index is asked for. */
function bodyWith(path: readonly string[], collectionId: string, field: Json): string {
  let body = field;
  for (const name of [collectionId, ...path].toReversed()) body = { [name]: body };
  return JSON.stringify(body);
}

const isScalar = (json: Json): boolean => typeof json !== "object" || json === null;
const SIGNS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;

function toSql(condition: DataCondition, collectionId: string, value: Value): string {
  const { field } = condition;
  if (field.kind !== "value") return ownToSql(field.kind, condition, value);
  const has = (json: Json): string => `d.body @> ${value(bodyWith(field.path, collectionId, json))}::jsonb`;
  const json = (): string => jsonOf(field.path, collectionId, value);
  // Another kind of value is no error of the cast but no match.
  const ofKind = (kind: "number" | "string", isSo: (at: string) => string): string => {
    const at = json();
    return `CASE jsonb_typeof(${at}) WHEN '${kind}' THEN ${isSo(at)} ELSE false END`;
  };
  switch (condition.op) {
    case "eq":
      return isScalar(condition.value)
        ? has(condition.value)
        : `COALESCE(${json()} = ${value(JSON.stringify(condition.value))}::jsonb, false)`;
    case "ne":
      return `${json()} IS DISTINCT FROM ${value(JSON.stringify(condition.value))}::jsonb`;
    case "in":
      return condition.values.length === 0 ? "false" : `(${condition.values.map(has).join(" OR ")})`;
    case "contains":
      return has([condition.value]);
    case "exists":
      return `${json()} IS ${condition.value ? "NOT " : ""}NULL`;
    case "startsWith":
      return ofKind("string", (at) => `starts_with(${at} #>> '{}', ${value(condition.value)}::text)`);
    default: {
      const { op, value: compared } = condition;
      return typeof compared === "number"
        ? ofKind("number", (at) => `${at}::numeric ${SIGNS[op]} ${value(String(compared))}::numeric`)
        : ofKind("string", (at) => `(${at} #>> '{}') COLLATE "C" ${SIGNS[op]} ${value(compared)}::text`);
    }
  }
}

function ownToSql(kind: Exclude<DataField["kind"], "value">, condition: DataCondition, value: Value): string {
  switch (condition.op) {
    case "eq":
      return `d.id = ${value(condition.value)}`;
    case "ne":
      return `d.id <> ${value(condition.value)}`;
    case "in":
      return `d.id = ANY(${value(condition.values)}::text[])`;
    case "startsWith":
      return `starts_with(d.id, ${value(condition.value)}::text)`;
    case "contains":
    case "exists":
      throw new Error(`no ${condition.op} of a document's own is ever asked for`);
    default: {
      const sign = SIGNS[condition.op];
      if (kind === "id") return `d.id ${sign} ${value(condition.value)}`;
      return `${COLUMNS[kind]} ${sign} ${value(condition.value)}::timestamptz`;
    }
  }
}

const COLUMNS = { createdAt: "d.created_at", updatedAt: "d.updated_at" } as const;

interface KeyPart {
  name: keyof KeyRow;
  sql: string;
  type: "int" | "numeric" | "text";
}

/** What is ordered by, before the id. */
function sortKey(field: DataField): KeyPart[] {
  if (field.kind === "id") return [];
  if (field.kind !== "value")
    return [{ name: "number", sql: `extract(epoch FROM ${COLUMNS[field.kind]})`, type: "numeric" }];
  const json = "o.json";
  const kind = `jsonb_typeof(${json})`;
  return [
    {
      name: "rank",
      sql: `CASE ${kind} WHEN 'boolean' THEN 0 WHEN 'number' THEN 1 WHEN 'string' THEN 2 ELSE 3 END`,
      type: "int",
    },
    {
      name: "number",
      sql: `CASE ${kind} WHEN 'number' THEN ${json}::numeric WHEN 'boolean' THEN ${json}::boolean::int::numeric ELSE 0 END`,
      type: "numeric",
    },
    {
      name: "text",
      sql: `(CASE ${kind} WHEN 'string' THEN left(${json} #>> '{}', ${DATA_ORDERED_CHARS}) ELSE '' END) COLLATE "C"`,
      type: "text",
    },
  ];
}

function isBehind(key: readonly KeyPart[], after: DataMark, isDescending: boolean, value: Value): string {
  const left = [...key.map(({ sql }) => sql), "d.id"];
  const right = [...key.map(({ name, type }) => `${value(after[name])}::${type}`), value(after.id)];
  return `(${left.join(", ")}) ${isDescending ? "<" : ">"} (${right.join(", ")})`;
}
