import type { JsonObject } from "@bulkhead/core";
import { TEXT_CHARS_DEFAULT, TEXT_CHARS_MAX } from "./bounds.ts";

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
