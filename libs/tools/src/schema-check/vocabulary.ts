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
  "$dynamicRef",
  "$recursiveRef",
  "$ref",
  "pattern",
  "patternProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "uniqueItems",
]);

/** Keywords that read a string to its end. */
export const STRING_READERS: ReadonlySet<string> = new Set(["format", "maxLength", "minLength"]);

export const TYPES: readonly string[] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** All other keywords of the drafts, whose values are no schemas. */
export const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  "$comment",
  "const",
  "contentEncoding",
  "contentMediaType",
  "default",
  "dependentRequired",
  "deprecated",
  "description",
  "enum",
  "examples",
  "exclusiveMaximum",
  "exclusiveMinimum",
  "format",
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "multipleOf",
  "pattern",
  "readOnly",
  "required",
  "title",
  "type",
  "uniqueItems",
  "writeOnly",
]);
