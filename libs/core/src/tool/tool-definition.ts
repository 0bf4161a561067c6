import type { JsonObject } from "../json/json.ts";
import type { RunLimits } from "../limit/limits.ts";
import type { PinnedOffer, PinnedRef } from "../mcp/mcp-server.ts";
import type { ToolCommand } from "./tool-command.ts";

export const PERMISSIONS = ["network", "filesystem", "database", "shell", "email", "scheduling"] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** A tool that a model made and that asks for one of these waits for a person. */
export const DANGEROUS_PERMISSIONS: readonly Permission[] = ["shell", "filesystem", "email"];

export const TOOL_LANGUAGES = ["javascript", "typescript"] as const;
export type ToolLanguage = (typeof TOOL_LANGUAGES)[number];

/** The parts of a tool that a run needs. */
export interface RunnableTool {
  /** JavaScript: the body of an async function. */
  code: string;
  permissions: Permission[];
  limits: RunLimits;
  /** Patterns as `readAllowedHosts` writes them; null is any public host, an empty list none. */
  allowedHosts: string[] | null;
  /** JSON Schema that the result must match; null: any result will do. */
  outputSchema: JsonObject | null;
  /** Names of the services whose configuration it may ask for, sorted and each once. */
  services: string[];
  /** Its server is called in place of the code; unset: the code runs. */
  mcp?: PinnedRef;
  /** Its command runs in place of the code; unset: the code runs. */
  shell?: ToolCommand;
  /** JavaScript: the body of an async function that says whether a person is asked about a call; unset: there is none. */
  approvalCode?: string;
}

/** Everything that affects a run: a change of any field makes a new, immutable version. */
export interface ToolDefinition extends Omit<RunnableTool, "mcp"> {
  /** The source as it was written, in `language`; empty where a command runs. */
  code: string;
  language: ToolLanguage;
  /** The JavaScript that runs, each character in its place; null: the code runs as it was written. */
  compiled: string | null;
  /** JSON Schema of the arguments, `type: "object"`. */
  parameters: JsonObject;
  /** What its server has said of it; unset: it is no server's, and its code runs. */
  pinned?: PinnedOffer;
}

/** The definition as it runs. */
export const toRunnable = ({
  code,
  compiled,
  permissions,
  limits,
  allowedHosts,
  outputSchema,
  services,
  pinned,
  shell,
  approvalCode,
}: ToolDefinition): RunnableTool => ({
  code: compiled ?? code,
  permissions,
  limits,
  allowedHosts,
  outputSchema,
  services,
  ...(pinned && { mcp: { server: pinned.server, tool: pinned.tool, pin: pinned.pin } }),
  ...(shell && { shell }),
  ...(approvalCode !== undefined && { approvalCode }),
});

/** Picks the fields of a tool or of a version that affect a run. */
export const definitionOf = ({
  code,
  language,
  compiled,
  parameters,
  outputSchema,
  permissions,
  limits,
  allowedHosts,
  services,
  pinned,
  shell,
  approvalCode,
}: ToolDefinition): ToolDefinition => ({
  code,
  language,
  compiled,
  parameters,
  outputSchema,
  permissions,
  limits,
  allowedHosts,
  services,
  ...(pinned && { pinned }),
  ...(shell && { shell }),
  ...(approvalCode !== undefined && { approvalCode }),
});
