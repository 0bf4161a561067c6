import type { JsonObject, ShellToolName } from "@bulkhead/core";
import {
  COMMAND_CHARS_MAX,
  COMMAND_MS_DEFAULT,
  COMMAND_MS_MAX,
  COMMAND_MS_MIN,
  CWD_CHARS_MAX,
} from "./bounds.ts";

const command: JsonObject = {
  type: "string",
  minLength: 1,
  maxLength: COMMAND_CHARS_MAX,
  description: "A command line of bash, such as `grep -rn TODO src | wc -l`.",
};
const cwd: JsonObject = {
  type: "string",
  minLength: 1,
  maxLength: CWD_CHARS_MAX,
  description: "The folder of the workspace to run it in, such as `src`; left out: its root, /workspace.",
};

/** The arguments of each tool. */
export const SHELL_TOOL_PARAMETERS: Readonly<Record<ShellToolName, JsonObject>> = {
  exec: {
    type: "object",
    properties: {
      command,
      cwd,
      timeoutMs: {
        type: "integer",
        minimum: COMMAND_MS_MIN,
        maximum: COMMAND_MS_MAX,
        default: COMMAND_MS_DEFAULT,
        description: "Milliseconds after which it is stopped.",
      },
    },
    required: ["command"],
    additionalProperties: false,
  },
};
