import type { ProvidedTool } from "@bulkhead/core";
import { SHOWN_BYTES_MAX } from "./bounds.ts";
import { DATABASE_PARAMETERS } from "./schema.ts";

/** As models are told of it: what, when, and within what bounds. */
export const DATABASE_TOOLS: Readonly<Record<"database_query", ProvidedTool>> = {
  database_query: {
    name: "database_query",
    title: "Query a database",
    description:
      `Runs one SQL statement in a PostgreSQL database of the tenant's: { columns, rows, rowCount, command, truncated }. ` +
      `Put values into params, never into the statement. Most databases are read-only. At most ${SHOWN_BYTES_MAX / 1_024} KiB of ` +
      `rows come at once; where truncated is true, select fewer columns, or go on with LIMIT and OFFSET. Numbers that would be ` +
      `rounded, and all of the type numeric, come as texts; bytea as base64; times as ISO 8601 in UTC.`,
    group: "database",
    parameters: DATABASE_PARAMETERS,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    needs: "database",
    letBy: "name",
    capability: "db",
    serviceArgument: "database",
    serviceKinds: ["postgres"],
  },
};
