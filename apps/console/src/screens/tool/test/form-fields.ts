import { isObject, type JsonObject as Schema } from "../../../format/json-object.ts";

/** How a value is written in a form; `json`: as JSON, whatever it is. */
export type FieldKind = "text" | "number" | "boolean" | "choice" | "object" | "list" | "json";

export interface FormField {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** Deeper levels are written as JSON. */
const DEPTH_MAX = 4;

const typesOf = ({ type }: Schema): unknown[] => (Array.isArray(type) ? type : [type]);

/** Whether the schema takes null. */
const takesNull = (schema: Schema): boolean =>
  typesOf(schema).includes("null") || schema["nullable"] === true;

/** The fields of an object's schema, in its order. */
export function fieldsOf({ properties, required }: Schema): FormField[] {
  if (!isObject(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: isObject(schema) ? schema : {},
    isRequired: needed.has(name),
  }));
}

/** The schema of each item of a list. */
export const itemsOf = ({ items }: Schema): Schema => (isObject(items) ? items : {});

const KINDS: Readonly<Record<string, FieldKind>> = {
  string: "text",
  number: "number",
  integer: "number",
  boolean: "boolean",
  object: "object",
  array: "list",
};

const OF_KIND: Readonly<Record<FieldKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  object: isObject,
  list: Array.isArray,
  choice: () => true,
  json: () => true,
};

/** How the schema's values are written; as JSON where the form has no way for it, or the value is another than it says. */
export function kindOf(schema: Schema, value: unknown, depth: number): FieldKind {
  if (Array.isArray(schema["enum"]))
    return schema["enum"].includes(value ?? null) || value === undefined ? "choice" : "json";
  const types = typesOf(schema).filter((type) => type !== "null");
  const kind = types.length === 1 ? (KINDS[String(types[0])] ?? "json") : "json";
  const isNested = kind === "object" || kind === "list";
  if (isNested && depth >= DEPTH_MAX) return "json";
  if (kind === "object" && !isObject(schema["properties"])) return "json";
  return value === undefined || value === null || OF_KIND[kind](value) ? kind : "json";
}

/** What an empty field stands for. */
export function emptyValue(schema: Schema, kind: FieldKind, isRequired: boolean): unknown {
  if (!isRequired) return undefined;
  if (takesNull(schema)) return null;
  return kind === "text" ? "" : undefined;
}

/** The number that was typed; undefined: it is none. */
export function numberIn(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

/** How many fields of the value the schema doesn't name: the JSON alone shows them. */
export function othersIn(schema: Schema, value: Schema): number {
  const known = new Set(fieldsOf(schema).map(({ name }) => name));
  return Object.keys(value).filter((name) => !known.has(name)).length;
}
