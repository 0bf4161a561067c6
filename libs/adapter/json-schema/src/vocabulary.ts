/** Keywords whose value is a schema. */
export const SCHEMAS: ReadonlySet<string> = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "contentSchema",
  "else",
  "if",
  "items",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** Keywords whose value is, or in draft 7 may be, an array of schemas. */
export const ARRAYS_OF_SCHEMAS: ReadonlySet<string> = new Set([
  "allOf",
  "anyOf",
  "items",
  "oneOf",
  "prefixItems",
]);

/** Keywords whose value holds schemas under names that are not keywords. */
export const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);

/** Keywords that hold of null too, beside the plain lists of types and values. */
export const REFUSE_NULL: ReadonlySet<string> = new Set([
  "$dynamicRef",
  "$recursiveRef",
  "$ref",
  "allOf",
  "anyOf",
  "else",
  "if",
  "not",
  "oneOf",
  "then",
]);

/** Keywords that can make checking cost more than the product of the sizes of schema and value. */
export const COSTLY: ReadonlySet<string> = new Set([
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$recursiveRef",
  "$ref",
  "pattern",
  "patternProperties",
  "uniqueItems",
]);

/** Keywords that read a string to its end. */
export const STRING_READERS: ReadonlySet<string> = new Set(["format", "maxLength", "minLength"]);

export const TYPES: readonly string[] = ["array", "boolean", "integer", "null", "number", "object", "string"];
