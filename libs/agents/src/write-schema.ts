import type { JsonObject } from "@bulkhead/core";

/** A text that a model fills in. */
export const text = (description: string): JsonObject => ({ type: "string", description });
/** An object with these fields and no others. */
export const object = (properties: JsonObject, required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
