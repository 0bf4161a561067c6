/** One field of a schema, as far as a list can show it. */
export interface SchemaField {
  name: string;
  type: string;
  isRequired: boolean;
  description?: string;
  /** Such as `≥ 1`, `at most 20 characters`, `one of "a", "b"`. */
  bounds: readonly string[];
  fields: readonly SchemaField[];
}

type Schema = Readonly<Record<string, unknown>>;

/** Deeper levels are for the raw schema. */
const DEPTH_MAX = 6;

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields of an object's schema, or of the objects in its list; empty where it says nothing of any. */
export function readSchema(schema: unknown, depth = 0): SchemaField[] {
  if (!isSchema(schema) || depth > DEPTH_MAX) return [];
  const { properties, items, required } = schema;
  if (!isSchema(properties)) return readSchema(items, depth + 1);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeOf(field),
    isRequired: needed.has(name),
    ...(isSchema(field) && typeof field["description"] === "string" && { description: field["description"] }),
    bounds: isSchema(field) ? boundsOf(field) : [],
    fields: readSchema(field, depth + 1),
  }));
}

function typeOf(schema: unknown): string {
  if (!isSchema(schema)) return schema === false ? "nothing" : "anything";
  const { type, items, enum: values, anyOf, oneOf, $ref } = schema;
  if (type === "array") return `list of ${typeOf(items ?? true)}`;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.join(" or ");
  const parts = [anyOf, oneOf].find(Array.isArray);
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].join(" or ");
  if (typeof $ref === "string") return $ref.split("/").at(-1) ?? $ref;
  return Array.isArray(values) ? "one of a list" : "anything";
}

const BOUNDS: readonly [keyword: string, words: (value: string) => string][] = [
  ["minimum", (value) => `≥ ${value}`],
  ["maximum", (value) => `≤ ${value}`],
  ["exclusiveMinimum", (value) => `> ${value}`],
  ["exclusiveMaximum", (value) => `< ${value}`],
  ["minLength", (value) => `at least ${value} characters`],
  ["maxLength", (value) => `at most ${value} characters`],
  ["minItems", (value) => `at least ${value} items`],
  ["maxItems", (value) => `at most ${value} items`],
  ["pattern", (value) => `matches ${value}`],
  ["format", (value) => value],
  ["default", (value) => `default ${value}`],
  ["const", (value) => `always ${value}`],
];

function boundsOf(schema: Schema): string[] {
  const { enum: values } = schema;
  const listed = Array.isArray(values)
    ? [`one of ${values.map((one) => JSON.stringify(one)).join(", ")}`]
    : [];
  const bounds = BOUNDS.filter(([keyword]) => schema[keyword] !== undefined).map(([keyword, words]) => {
    const value = schema[keyword];
    return words(typeof value === "string" ? value : JSON.stringify(value));
  });
  return [...listed, ...bounds];
}
