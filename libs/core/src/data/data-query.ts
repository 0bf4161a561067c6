import type { Json, JsonObject } from "../json/json.ts";
import { whyNotKept } from "./document.ts";

/** Conditions of one question, and values of one `in`. */
export const DATA_CONDITIONS_MAX = 20;
export const DATA_IN_MAX = 100;
/** Names on the way to a field, and characters of all with their dots. */
export const DATA_FIELD_PARTS_MAX = 8;
export const DATA_FIELD_CHARS_MAX = 256;
/** Characters of a text that a field is compared with. */
export const DATA_COMPARED_CHARS_MAX = 1_024;
/** Characters by which texts are ordered; those that are equal so far are in the order of their ids. */
export const DATA_ORDERED_CHARS = 256;

/** What stands behind a name: a field of the value, or something of the document's own. */
export type DataField =
  | { kind: "value"; path: readonly string[] }
  | { kind: "id" }
  | { kind: "createdAt" }
  | { kind: "updatedAt" };

const OWN: Readonly<Record<string, Exclude<DataField, { kind: "value" }>>> = {
  $id: { kind: "id" },
  $createdAt: { kind: "createdAt" },
  $updatedAt: { kind: "updatedAt" },
};

const DATA_COMPARISONS = ["gt", "gte", "lt", "lte"] as const;
export type DataComparison = (typeof DATA_COMPARISONS)[number];
export const DATA_OPERATORS = [
  "eq",
  "ne",
  "in",
  ...DATA_COMPARISONS,
  "contains",
  "startsWith",
  "exists",
] as const;
type DataOperator = (typeof DATA_OPERATORS)[number];

/** One that a document has to meet; `field` is as the asker wrote it. */
export type DataCondition = { field: DataField } & (
  | { op: "eq" | "ne"; value: Json }
  | { op: "in"; values: readonly Json[] }
  /** A number is compared with numbers alone, a text with texts, by their characters' numbers. */
  | { op: DataComparison; value: number | string }
  /** A list has this. */
  | { op: "contains"; value: string | number | boolean | null }
  | { op: "startsWith"; value: string }
  | { op: "exists"; value: boolean }
);

/** By a field, then by id: truth values, numbers, texts, then all else; descending the other way round. */
export interface DataOrder {
  field: DataField;
  isDescending: boolean;
}
export const BY_DOCUMENT_ID: DataOrder = { field: { kind: "id" }, isDescending: false };

/** What is wrong with a question: where, as a dotted path from its root, and what. */
export class DataQueryError extends Error {
  override readonly name = "DataQueryError";
  readonly path: string;
  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/** Throws `DataQueryError`. */
export function parseDataField(said: string, at: string): DataField {
  if (Object.hasOwn(OWN, said)) return OWN[said] as DataField;
  const path = said.split(".");
  if (said.startsWith("$"))
    throw new DataQueryError(at, `begins with $, and is none of ${Object.keys(OWN).join(", ")}`);
  if (said.length > DATA_FIELD_CHARS_MAX || path.length > DATA_FIELD_PARTS_MAX)
    throw new DataQueryError(
      at,
      `must have ${DATA_FIELD_CHARS_MAX} characters and ${DATA_FIELD_PARTS_MAX} names with dots between them at most`,
    );
  if (path.includes("")) throw new DataQueryError(at, "must be names of fields with dots between them");
  if (said.includes("\0") || !said.isWellFormed()) throw new DataQueryError(at, "must be well-formed text");
  return { kind: "value", path };
}

/** Such as `age`, or `-age` for the highest first. Throws `DataQueryError`. */
export function parseDataOrder(said: string): DataOrder {
  const isDescending = said.startsWith("-");
  return { field: parseDataField(isDescending ? said.slice(1) : said, "orderBy"), isDescending };
}

/** Reads `{field: value | {operator: value}}`; all have to hold. Throws `DataQueryError`. */
export function parseDataWhere(where: JsonObject): DataCondition[] {
  const conditions = Object.entries(where).flatMap(([name, said]) => {
    const at = `where.${name}`;
    const field = parseDataField(name, at);
    const asked = isPlainObject(said) ? said : { eq: said };
    const operators = Object.entries(asked);
    if (operators.length === 0) throw new DataQueryError(at, NO_OPERATOR);
    return operators.map(([op, value]) => conditionOf(field, op, value, `${at}.${op}`));
  });
  if (conditions.length > DATA_CONDITIONS_MAX)
    throw new DataQueryError("where", `must have ${DATA_CONDITIONS_MAX} conditions at most`);
  return conditions;
}

const NO_OPERATOR = `must be a value, or an object of operators: ${DATA_OPERATORS.join(", ")}; {"eq": …} compares with an object`;

const isPlainObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: Json): value is string | number | boolean | null =>
  typeof value !== "object" || value === null;

function conditionOf(field: DataField, said: string, value: Json, at: string): DataCondition {
  const op = DATA_OPERATORS.find((known) => known === said);
  if (op === undefined) throw new DataQueryError(at, NO_OPERATOR);
  checkValue(value, at);
  if (field.kind === "createdAt" || field.kind === "updatedAt") return momentCondition(field, op, value, at);
  switch (op) {
    case "eq":
    case "ne":
      if (field.kind === "id" && typeof value !== "string") throw new DataQueryError(at, "must be a text");
      return { field, op, value };
    case "in":
      if (!Array.isArray(value) || value.length > DATA_IN_MAX || !value.every(isScalar))
        throw new DataQueryError(
          at,
          `must be a list of ${DATA_IN_MAX} texts, numbers, truth values or nulls at most`,
        );
      if (field.kind === "id" && !value.every((one) => typeof one === "string"))
        throw new DataQueryError(at, "must be a list of texts");
      return { field, op, values: value };
    case "contains":
      if (field.kind === "id" || !isScalar(value))
        throw new DataQueryError(
          at,
          "must ask a field of the value for a text, a number, a truth value or null",
        );
      return { field, op, value };
    case "startsWith":
      if (typeof value !== "string") throw new DataQueryError(at, "must be a text");
      return { field, op, value };
    case "exists":
      if (typeof value !== "boolean" || field.kind === "id")
        throw new DataQueryError(at, "must ask a field of the value with true or false");
      return { field, op, value };
    default:
      if (typeof value !== "string" && (typeof value !== "number" || field.kind === "id"))
        throw new DataQueryError(at, field.kind === "id" ? "must be a text" : "must be a number or a text");
      return { field, op, value };
  }
}

function momentCondition(field: DataField, op: DataOperator, value: Json, at: string): DataCondition {
  const comparison = DATA_COMPARISONS.find((one) => one === op);
  if (comparison === undefined) throw new DataQueryError(at, `must be one of ${DATA_COMPARISONS.join(", ")}`);
  const moment = typeof value === "string" && ISO_TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(moment)) throw new DataQueryError(at, "must be a time as in 2026-01-31T12:00:00Z");
  if (moment < FIRST_MOMENT || moment > LAST_MOMENT)
    throw new DataQueryError(at, "must be a time of the years 1 to 9999, in UTC");
  return { field, op: comparison, value: new Date(moment).toISOString() };
}

/** Of years beyond these four digits PostgreSQL writes otherwise. */
const FIRST_MOMENT = Date.parse("0001-01-01T00:00:00Z");
const LAST_MOMENT = Date.parse("9999-12-31T23:59:59.999Z");
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** What no document can hold is no answer's to find; a text of its own has a bound, too. */
function checkValue(value: Json, at: string): void {
  const why = whyNotKept(value);
  if (why !== null) throw new DataQueryError(at, why);
  const texts = Array.isArray(value) ? value : [value];
  if (texts.some((text) => typeof text === "string" && text.length > DATA_COMPARED_CHARS_MAX))
    throw new DataQueryError(at, `must have ${DATA_COMPARED_CHARS_MAX} characters at most`);
}
