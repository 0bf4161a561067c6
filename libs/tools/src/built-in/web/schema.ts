import type { JsonObject } from "@bulkhead/core";
import { PAGE_FORMATS, TEXT_CHARS_DEFAULT, TEXT_CHARS_MAX, TEXT_KEPT_CHARS_MAX } from "./bounds.ts";
import { QUERY_CHARS_MAX, RESULTS_DEFAULT, RESULTS_MAX } from "./search/bounds.ts";

export const WEB_FETCH_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    url: { type: "string", minLength: 1, maxLength: 8_192, description: "Where the page is." },
    format: {
      type: "string",
      enum: [...PAGE_FORMATS],
      default: "text",
      description:
        "Of HTML: text is the whole page as plain text, markdown its main part with links, tables and code.",
    },
    maxChars: {
      type: "integer",
      minimum: 1,
      maximum: TEXT_CHARS_MAX,
      description: `Characters of text at most; ${TEXT_CHARS_DEFAULT} where nothing is said.`,
    },
    startChar: {
      type: "integer",
      minimum: 0,
      maximum: TEXT_KEPT_CHARS_MAX,
      default: 0,
      description: "Where the text begins: the nextChar of the answer before, to go on.",
    },
    fresh: {
      type: "boolean",
      default: false,
      description: "Fetches anew what was fetched a moment ago.",
    },
    maxLength: {
      type: "integer",
      minimum: 1,
      maximum: TEXT_CHARS_MAX,
      description: "The former name of maxChars.",
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
