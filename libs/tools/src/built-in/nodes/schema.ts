import { DEVICE_TIMEOUT_MS_DEFAULT, DEVICE_TIMEOUT_MS_MAX, type JsonObject } from "@bulkhead/core";
import { COMMAND_CHARS_MAX, DEVICE_REF_CHARS_MAX } from "./bounds.ts";
import { NODE_ACTIONS } from "./run.ts";

/** The arguments of `nodes`. A person who is asked about a call sees them as they are here. */
export const NODES_PARAMETERS: JsonObject = {
  type: "object",
  properties: {
    action: {
      type: "string",
      enum: [...NODE_ACTIONS],
      description: "list the devices, describe one with its commands, or invoke a command on one.",
    },
    device: {
      type: "string",
      minLength: 1,
      maxLength: DEVICE_REF_CHARS_MAX,
      description: "The device's id, or its name where no other has it. For describe and invoke (needed).",
    },
    command: {
      type: "string",
      minLength: 1,
      maxLength: COMMAND_CHARS_MAX,
      description: "The command's name, as describe shows it. For invoke (needed).",
    },
    arguments: {
      type: "object",
      description: "The command's arguments, as its parameters say. For invoke.",
    },
    timeoutMs: {
      type: "integer",
      minimum: 1,
      maximum: DEVICE_TIMEOUT_MS_MAX,
      description: `Milliseconds that the device may take; ${DEVICE_TIMEOUT_MS_DEFAULT} unless set. For invoke.`,
    },
  },
  required: ["action"],
  additionalProperties: false,
};
