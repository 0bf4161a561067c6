import type { JsonObject } from "../json/json.ts";

/** OpenAPI 3.0 says with true that the bound beside it is no value itself. */
export function withExclusiveBounds(schema: JsonObject): JsonObject {
  let read = schema;
  for (const [exclusive, bound] of EXCLUSIVE_BOUNDS) {
    const { [exclusive]: said, [bound]: limit, ...others } = read;
    if (typeof said !== "boolean") continue;
    if (limit === undefined) read = others;
    else read = { ...others, [said && typeof limit === "number" ? exclusive : bound]: limit };
  }
  return read;
}

const EXCLUSIVE_BOUNDS = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;
