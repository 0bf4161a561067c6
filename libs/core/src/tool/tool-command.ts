/** A tool of a command in place of code: what it runs, where, and with which variables. */
export interface ToolCommand {
  /** A command line in which `{{.key}}` stands for an argument, as one word. */
  template: string;
  /** A folder of the workspace; "" is its root. */
  workingDirectory: string;
  /** By name, each value sealed for `toolVariablePurpose`; null: nobody has filled it in yet. */
  env: Readonly<Record<string, string | null>>;
}

export const TOOL_COMMAND_SECONDS_DEFAULT = 60;
export const TOOL_COMMAND_SECONDS_MAX = 300;
/** Variables of one tool, the characters of a name, and of all names and values together. */
export const TOOL_VARIABLES_MAX = 50;
export const TOOL_VARIABLE_NAME_CHARS_MAX = 128;
export const TOOL_VARIABLES_CHARS_MAX = 16 * 1_024;
export const TOOL_WORKING_DIRECTORY_CHARS_MAX = 1_024;

/** For what the value of a tool's variable is sealed. */
export const toolVariablePurpose = (name: string): string => JSON.stringify(["tool.env", name]);
