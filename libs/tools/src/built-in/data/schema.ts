import { DATA_OPERATORS, TTL_SECONDS_MAX, type DataToolName, type JsonObject } from "@bulkhead/core";
import { DATA_CURSOR_CHARS_MAX, GOAL_STEPS_MAX } from "../../data.ts";
import {
  COLLECTION_CHARS_MAX,
  DOCUMENTS_DEFAULT,
  DOCUMENTS_MAX,
  GOAL_ID_CHARS_MAX,
  GOAL_TEXT_CHARS_MAX,
  GOAL_TITLE_CHARS_MAX,
  ID_CHARS_MAX,
  ORDER_CHARS_MAX,
  STEP_CHARS_MAX,
} from "./bounds.ts";

const object = (properties: JsonObject, required: string[]): JsonObject => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text = (minLength: number, maxLength: number, description: string): JsonObject => ({
  type: "string",
  minLength,
  maxLength,
  description,
});
const list = (items: JsonObject, description: string): JsonObject => ({
  type: "array",
  items,
  maxItems: GOAL_STEPS_MAX,
  description,
});

const collection = text(
  1,
  COLLECTION_CHARS_MAX,
  "Its name, such as `notes`: letters, digits, `_`, `.` and `-`, a letter first.",
);
const id = text(1, ID_CHARS_MAX, "The document's id: any text.");
const ifVersion = (minimum: number, description: string): JsonObject => ({
  type: "integer",
  minimum,
  description,
});
const limit: JsonObject = {
  type: "integer",
  minimum: 1,
  maximum: DOCUMENTS_MAX,
  default: DOCUMENTS_DEFAULT,
  description: "How many at most.",
};
const cursor = text(1, DATA_CURSOR_CHARS_MAX, "The `nextCursor` of the answer before, for what comes next.");
const step = text(1, STEP_CHARS_MAX, "What is to be done.");
const steps: JsonObject = { type: "integer", minimum: 1 };

/** The arguments of each tool. */
export const DATA_TOOL_PARAMETERS: Readonly<Record<DataToolName, JsonObject>> = {
  data_get: object({ collection, id }, ["collection", "id"]),
  data_put: object(
    {
      collection,
      id,
      value: { description: "Any JSON: all of the document, in place of what was there." },
      ifVersion: ifVersion(
        0,
        "Only if the document has this version; 0: only if there is none. Left out: in any case.",
      ),
      ttlSeconds: {
        type: "integer",
        minimum: 1,
        maximum: TTL_SECONDS_MAX,
        description: "After so many seconds it is gone. Left out: it stays.",
      },
    },
    ["collection", "id", "value"],
  ),
  data_query: object(
    {
      collection,
      where: {
        type: "object",
        description:
          `Conditions that all have to hold: {"status": "open", "age": {"gte": 3}, "address.city": "Oslo", "tags": {"contains": "x"}}. ` +
          `Operators: ${DATA_OPERATORS.join(", ")}. $id, $createdAt and $updatedAt are the document's own. Left out: all documents.`,
      },
      orderBy: text(
        1,
        ORDER_CHARS_MAX,
        "A field, such as `age`, or `-age` for the highest first. Left out: by id.",
      ),
      limit,
      cursor,
    },
    ["collection"],
  ),
  data_remove: object({ collection, id, ifVersion: ifVersion(1, "Only if the document has this version.") }, [
    "collection",
    "id",
  ]),
  goals: object(
    {
      action: {
        type: "string",
        enum: ["create", "list", "update", "complete", "remove"],
        description: "What to do; which other arguments it takes stands with each.",
      },
      id: text(1, GOAL_ID_CHARS_MAX, "The goal's id. For update, complete, remove."),
      title: text(1, GOAL_TITLE_CHARS_MAX, "For create (needed) and update."),
      description: text(0, GOAL_TEXT_CHARS_MAX, "For create and update."),
      dueAt: { type: "string", format: "date-time", description: "For create and update." },
      steps: list(step, "The steps to it, in their order. For create."),
      addSteps: list(step, "More steps, behind the others. For update."),
      doneSteps: list(steps, "Ids of steps that are done. For update."),
      openSteps: list(steps, "Ids of steps that are not done after all. For update."),
      removeSteps: list(steps, "Ids of steps that are needed no more. For update."),
      progress: {
        type: "integer",
        minimum: 0,
        maximum: 100,
        description: "Of a goal without steps. For update.",
      },
      note: text(
        0,
        GOAL_TEXT_CHARS_MAX,
        "How it stands, in place of the note before. For update and complete.",
      ),
      reopen: { type: "boolean", description: "Opens one that was completed. For update." },
      status: {
        type: "string",
        enum: ["open", "completed", "all"],
        description: "Which goals. For list; left out: the open ones.",
      },
      limit: { ...limit, description: "How many at most. For list." },
      cursor: { ...cursor, description: "The `nextCursor` of the answer before. For list." },
    },
    ["action"],
  ),
};
