import type { JsonObject } from "@bulkhead/core";
import { GATEWAY_OPERATION_NAMES } from "./operations.ts";

/** The arguments of `gateway`. A person who is asked about a call sees them as they are here. */
export const GATEWAY_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    operation: {
      type: "string",
      enum: [...GATEWAY_OPERATION_NAMES],
      description: "What to do; which arguments it takes stands in the tool's description.",
    },
    arguments: { type: "object", description: "The operation's arguments. None: left out." },
  },
  required: ["operation"],
  additionalProperties: false,
};
