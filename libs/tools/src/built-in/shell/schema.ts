import {
  COMMAND_CHARS_MAX,
  PROCESS_WORD_CHARS_MAX,
  type JsonObject,
  type ShellToolName,
} from "@bulkhead/core";
import {
  BACKGROUND_MS_DEFAULT,
  BACKGROUND_MS_MAX,
  COMMAND_MS_DEFAULT,
  COMMAND_MS_MAX,
  COMMAND_MS_MIN,
  CWD_CHARS_MAX,
  PROCESS_ID_CHARS_MAX,
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

const PROCESS_ACTIONS = ["start", "list", "output", "write", "stop"] as const;

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
  process: {
    type: "object",
    properties: {
      action: {
        enum: [...PROCESS_ACTIONS],
        description:
          "start (command, cwd, stdin, timeoutMs), list, output (id, since), write (id, text, end), stop (id).",
      },
      command: { ...command, description: "start: the command line." },
      cwd: { ...cwd, description: "start: the folder to run it in." },
      stdin: {
        type: "string",
        maxLength: PROCESS_WORD_CHARS_MAX,
        description: "start: what it reads on its standard input.",
      },
      timeoutMs: {
        type: "integer",
        minimum: COMMAND_MS_MIN,
        maximum: BACKGROUND_MS_MAX,
        description: `start: milliseconds after which it is stopped; ${BACKGROUND_MS_DEFAULT} unless set.`,
      },
      id: {
        type: "string",
        minLength: 1,
        maxLength: PROCESS_ID_CHARS_MAX,
        description: "output, write, stop: which one, as start and list tell.",
      },
      since: {
        type: "integer",
        minimum: 0,
        description: "output: the `next` of the answer before; left out: from the beginning.",
      },
      text: {
        type: "string",
        maxLength: PROCESS_WORD_CHARS_MAX,
        description: "write: more of its standard input.",
      },
      end: { type: "boolean", description: "write: nothing follows." },
    },
    required: ["action"],
    additionalProperties: false,
  },
};
