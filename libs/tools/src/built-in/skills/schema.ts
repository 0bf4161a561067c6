import type { JsonObject } from "@bulkhead/core";

/** Characters of a query. */
export const SKILL_QUERY_CHARS_MAX = 400;
/** Skills of one answer. */
export const SKILLS_FOUND_DEFAULT = 5;
export const SKILLS_FOUND_MAX = 20;

export const SKILL_SEARCH_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: SKILL_QUERY_CHARS_MAX,
      pattern: "\\S",
      description: "What is to be done, in words that a skill's description may have.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: SKILLS_FOUND_MAX,
      default: SKILLS_FOUND_DEFAULT,
      description: "How many at most.",
    },
  },
  required: ["query"],
  additionalProperties: false,
};
