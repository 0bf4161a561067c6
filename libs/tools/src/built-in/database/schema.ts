import { CONFIG_NAME_CHARS_MAX, type JsonObject } from "@bulkhead/core";
import { PARAMS_MAX, SQL_CHARS_MAX } from "./bounds.ts";

/** The arguments of `database_query`. */
export const DATABASE_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    database: {
      type: "string",
      minLength: 1,
      maxLength: CONFIG_NAME_CHARS_MAX,
      description: "The name of the service that is the database.",
    },
    sql: {
      type: "string",
      minLength: 1,
      maxLength: SQL_CHARS_MAX,
      description: "One statement of PostgreSQL, with $1, $2 … in the place of values.",
    },
    params: {
      type: "array",
      maxItems: PARAMS_MAX,
      items: { type: ["string", "number", "boolean", "null", "array", "object"] },
      description: "The values for $1, $2 …; an array becomes an array of PostgreSQL's, an object JSON.",
    },
  },
  required: ["database", "sql"],
  additionalProperties: false,
};
