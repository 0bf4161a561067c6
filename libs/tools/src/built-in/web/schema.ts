import type { JsonObject } from "@bulkhead/core";
import { TEXT_CHARS_DEFAULT, TEXT_CHARS_MAX } from "./bounds.ts";
import { QUERY_CHARS_MAX, RESULTS_DEFAULT, RESULTS_MAX } from "./search/bounds.ts";

export const WEB_FETCH_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    url: { type: "string", minLength: 1, maxLength: 8_192, description: "Where the page is." },
    maxLength: {
      type: "integer",
      minimum: 1,
      maximum: TEXT_CHARS_MAX,
      default: TEXT_CHARS_DEFAULT,
      description: "Characters of text at most.",
    },
  },
  required: ["url"],
  additionalProperties: false,
};

export const WEB_SEARCH_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    query: {
      type: "string",
      minLength: 1,
      maxLength: QUERY_CHARS_MAX,
      pattern: "\\S",
      description: "What to search for, as a person would type it.",
    },
    limit: {
      type: "integer",
      minimum: 1,
      maximum: RESULTS_MAX,
      default: RESULTS_DEFAULT,
      description: "How many results at most.",
    },
  },
  required: ["query"],
  additionalProperties: false,
};
