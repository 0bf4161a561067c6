import { isObject } from "../../format/json-object.ts";
import { boundWords, typeWords } from "../../format/schema-words.ts";

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

/** Deeper levels are for the raw schema. */
const DEPTH_MAX = 6;

/** The fields of an object's schema, or of the objects in its list; empty where it says nothing of any. */
export function readSchema(schema: unknown, depth = 0): SchemaField[] {
  if (!isObject(schema) || depth > DEPTH_MAX) return [];
  const { properties, items, required } = schema;
  if (!isObject(properties)) return readSchema(items, depth + 1);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, field]) => ({
    name,
    type: typeWords(field),
    isRequired: needed.has(name),
    ...(isObject(field) && typeof field["description"] === "string" && { description: field["description"] }),
    bounds: isObject(field) ? boundWords(field) : [],
    fields: readSchema(field, depth + 1),
  }));
}
