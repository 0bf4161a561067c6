import { CONFIG_NAME_CHARS_MAX, MAIL_ADDRESS_CHARS_MAX, type JsonObject } from "@bulkhead/core";
import { RECIPIENTS_MAX, SUBJECT_CHARS_MAX, TEXT_CHARS_MAX } from "./bounds.ts";

const address: JsonObject = { type: "string", minLength: 3, maxLength: MAIL_ADDRESS_CHARS_MAX };

/** The arguments of `message`. A person who is asked about a call sees them as they are here. */
export const MESSAGE_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    channel: {
      type: "string",
      minLength: 1,
      maxLength: CONFIG_NAME_CHARS_MAX,
      description: "The name of the service that is the channel.",
    },
    to: {
      anyOf: [address, { type: "array", items: address, minItems: 1, maxItems: RECIPIENTS_MAX }],
      description: "The addresses of a mail; other channels have one place and take none.",
    },
    subject: {
      type: "string",
      maxLength: SUBJECT_CHARS_MAX,
      description: "A mail's subject; elsewhere a line above the text.",
    },
    text: {
      type: "string",
      minLength: 1,
      maxLength: TEXT_CHARS_MAX,
      description: "What is said, as plain text.",
    },
  },
  required: ["channel", "text"],
  additionalProperties: false,
};
