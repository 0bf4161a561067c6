import {
  FILE_PATH_BYTES_MAX,
  MEMORY_QUERY_CHARS_MAX,
  MEMORY_RESULTS_DEFAULT,
  MEMORY_RESULTS_MAX,
  type JsonObject,
  type MemoryToolName,
} from "@bulkhead/core";

const line = (description: string): JsonObject => ({ type: "integer", minimum: 1, description });

/** The arguments of each tool. */
export const MEMORY_TOOL_PARAMETERS: Readonly<Record<MemoryToolName, JsonObject>> = {
  memory_search: {
    type: "object",
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: MEMORY_QUERY_CHARS_MAX,
        pattern: "\\S",
        description: "What to look for, in the words that the memory would use: names, things, decisions.",
      },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: MEMORY_RESULTS_MAX,
        default: MEMORY_RESULTS_DEFAULT,
        description: "How many at most.",
      },
      minScore: {
        type: "number",
        minimum: 0,
        maximum: 1,
        default: 0,
        description:
          "Leaves out results below; above 0.5 are those alone that are found by words and by meaning.",
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  memory_get: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        maxLength: FILE_PATH_BYTES_MAX,
        description: "A file of the memory, such as `MEMORY.md` or `memory/people.md`.",
      },
      startLine: line("The first line, counted from 1."),
      endLine: line("The last line, which is read too."),
    },
    required: ["path"],
    additionalProperties: false,
  },
};
