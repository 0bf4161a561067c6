type Schema = Readonly<Record<string, unknown>>;

/** How a value is written in a form; `json`: as JSON, whatever it is. */
export type FieldKind = "text" | "number" | "boolean" | "choice" | "object" | "list" | "json";

export interface FormField {
  name: string;
  schema: Schema;
  isRequired: boolean;
}

/** Deeper levels are written as JSON. */
const DEPTH_MAX = 4;

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const typesOf = ({ type }: Schema): unknown[] => (Array.isArray(type) ? type : [type]);

/** Whether the schema takes null. */
const takesNull = (schema: Schema): boolean =>
  typesOf(schema).includes("null") || schema["nullable"] === true;

/** The fields of an object's schema, in its order. */
export function fieldsOf({ properties, required }: Schema): FormField[] {
  if (!isSchema(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: isSchema(schema) ? schema : {},
    isRequired: needed.has(name),
  }));
}

/** The schema of each item of a list. */
export const itemsOf = ({ items }: Schema): Schema => (isSchema(items) ? items : {});

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
  object: isSchema,
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
  if (kind === "object" && !isSchema(schema["properties"])) return "json";
  return value === undefined || value === null || OF_KIND[kind](value) ? kind : "json";
}

/** The object with the field changed, in its place; undefined takes it out. */
export function withField(object: Schema, name: string, value: unknown): Record<string, unknown> {
  const entries = Object.entries(object);
  if (value === undefined) return Object.fromEntries(entries.filter(([key]) => key !== name));
  if (!Object.hasOwn(object, name)) return Object.fromEntries([...entries, [name, value]]);
  return Object.fromEntries(entries.map(([key, one]) => [key, key === name ? value : one]));
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
