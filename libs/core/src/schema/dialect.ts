import type { JsonObject } from "../json/json.ts";

/** The drafts of JSON Schema that are spoken. */
export type Dialect = "2020-12" | "2019-09" | "draft-07";

const BY_URI: Record<string, Dialect> = {
  "json-schema.org/draft/2020-12/schema": "2020-12",
  "json-schema.org/draft/2019-09/schema": "2019-09",
  "json-schema.org/draft-07/schema": "draft-07",
};

/** The draft that a schema names, 2020-12 where it names none, null where it names another. */
export function readDialect(schema: JsonObject): Dialect | null {
  if (schema.$schema === undefined) return "2020-12";
  if (typeof schema.$schema !== "string") return null;
  const uri = schema.$schema.replace(/^https?:\/\//, "").replace(/#$/, "");
  return Object.hasOwn(BY_URI, uri) ? (BY_URI[uri] ?? null) : null;
}
