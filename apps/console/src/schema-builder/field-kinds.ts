import { isObject, type JsonObject } from "../format/json-object.ts";

/** What a field holds, as the list of fields shows it; `other`: what only its JSON can say. */
export type Kind = "text" | "number" | "integer" | "boolean" | "choice" | "list" | "object" | "any" | "other";

/** JSON Schema's names of the types, in the order in which they are offered. */
export const TYPE_OF: Readonly<Partial<Record<Kind, string>>> = {
  text: "string",
  number: "number",
  integer: "integer",
  boolean: "boolean",
  list: "array",
  object: "object",
};

const KIND_OF = new Map(Object.entries(TYPE_OF).map(([kind, type]) => [type, kind as Kind]));

/** Say what a value is in ways that no field shows. */
export const BEYOND_FIELDS = [
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "const",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "prefixItems",
  "patternProperties",
] as const;

const REFERENCES = ["$ref", "$dynamicRef", "$recursiveRef"] as const;

/** The one type that a schema names, null beside it left out; undefined: it names none, or several. */
export function typeIn({ type }: JsonObject): string | undefined {
  if (typeof type === "string") return type;
  if (!Array.isArray(type) || type.length !== 2 || !type.includes("null")) return undefined;
  const other: unknown = type.find((one) => one !== "null");
  return typeof other === "string" ? other : undefined;
}

/** Whether it takes null beside its one type. */
export const takesNull = (schema: JsonObject): boolean =>
  Array.isArray(schema["type"]) && typeIn(schema) !== undefined;

/** How the schema can be shown; whatever else it holds is kept. */
export function kindOf(schema: unknown): Kind {
  if (!isObject(schema)) return "other";
  if (REFERENCES.some((keyword) => Object.hasOwn(schema, keyword))) return "other";
  const { type, enum: values } = schema;
  if (values !== undefined) return isChoice(schema, values) ? "choice" : "other";
  if (type !== undefined) {
    const kind = KIND_OF.get(typeIn(schema) ?? "") ?? "other";
    return kind === "object" && !holdsFields(schema) ? "other" : kind;
  }
  if (BEYOND_FIELDS.some((keyword) => Object.hasOwn(schema, keyword))) return "other";
  if (schema["properties"] !== undefined) return holdsFields(schema) ? "object" : "other";
  return schema["items"] === undefined ? "any" : "list";
}

/** A choice among texts alone, or among numbers alone. */
function isChoice({ type }: JsonObject, values: unknown): boolean {
  if (!Array.isArray(values)) return false;
  const of = (what: string, ...types: unknown[]): boolean =>
    types.includes(type) && values.every((value) => typeof value === what);
  return of("string", undefined, "string") || of("number", undefined, "number", "integer");
}

/** Whether its fields stand where JSON Schema has them. */
const holdsFields = ({ properties, required }: JsonObject): boolean =>
  (properties === undefined || isObject(properties)) && (required === undefined || Array.isArray(required));
