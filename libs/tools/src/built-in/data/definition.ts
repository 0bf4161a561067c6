import type { DataToolName, ProvidedTool, ToolHints } from "@bulkhead/core";
import { DATA_TOOL_PARAMETERS } from "./schema.ts";

const READS: ToolHints = { readOnlyHint: true, openWorldHint: false };
const CHANGES: ToolHints = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

const define = (
  name: DataToolName,
  title: string,
  description: string,
  annotations: ToolHints,
): ProvidedTool => ({
  name,
  title,
  description,
  group: name === "goals" ? "goals" : "data",
  parameters: DATA_TOOL_PARAMETERS[name],
  annotations,
  needs: "database",
  letBy: "policy",
  capability: "data",
});

/** As models are told of them: what, when, and within what bounds. */
export const DATA_TOOLS: Readonly<Record<DataToolName, ProvidedTool>> = {
  data_get: define(
    "data_get",
    "Get a document",
    "Reads a JSON document that is kept between calls: { document: { id, value, version, createdAt, updatedAt, expiresAt } }, the document null where there is none.",
    READS,
  ),
  data_put: define(
    "data_put",
    "Put a document",
    "Keeps a JSON document under its id, new or in place of what was there: { document, created }. To change one that others may change too, " +
      "read it first and pass its version as ifVersion. What is secret is stored as [REDACTED], and the answer then has covered: true.",
    { ...CHANGES, idempotentHint: true },
  ),
  data_query: define(
    "data_query",
    "Find documents",
    "Finds documents of a collection by their fields, in an order: { documents, nextCursor }; go on with cursor where nextCursor is not null.",
    READS,
  ),
  data_remove: define(
    "data_remove",
    "Remove a document",
    "Removes a document of a collection: { removed }, false where there was none. It can't be undone.",
    { ...CHANGES, idempotentHint: true },
  ),
  goals: define(
    "goals",
    "Goals",
    "Keeps the goals that you work towards over several conversations, each with steps and progress: create one, list the open ones, " +
      "update one (done steps, a note on how it stands), complete or remove it. Answers { goal } or { goals, nextCursor }.",
    CHANGES,
  ),
};
