import {
  decideBuiltIn,
  type InlineTool,
  type JsonObject,
  type ProvidedTool,
  type RunLimits,
  type TenantPrincipal,
  type Tool,
  Fault,
} from "@bulkhead/core";

/** A tool that comes with the platform, as a call of its own runs it: within the limits of a tool that names none. */
export interface BuiltInTool {
  readonly builtIn: ProvidedTool;
  readonly name: string;
  readonly limits: RunLimits;
}

export const isBuiltIn = (tool: Tool | BuiltInTool): tool is BuiltInTool => "builtIn" in tool;

/** The script that runs: one line that calls the tool, so that no rule for calls of tools by tools is told a second time. */
export const scriptOf = ({ builtIn, name, limits }: BuiltInTool): InlineTool => ({
  code: `return utils.callTool(${JSON.stringify(name)}, args);`,
  permissions: builtIn.needs === null ? [] : [builtIn.needs],
  outputSchema: null,
  limits,
  allowedHosts: null,
  services: [],
});

/**
 * Throws `tool.blocked` where an agent may not call it, as `decideBuiltIn` says. No version of a built-in tool is kept, so what
 * waited for a person could be another one when it runs: it is not begun.
 */
export function requireLetRun(
  { role, approval }: TenantPrincipal,
  tool: Pick<ProvidedTool, "name" | "letBy">,
  args: JsonObject,
): void {
  if (role !== "agent") return;
  const { name } = tool;
  const decision = decideBuiltIn(approval, tool, args);
  if (decision === "preApproved") return;
  const why =
    decision === "blocked"
      ? `The tenant's policy blocks this call of ${name} for agents`
      : `An agent's call of ${name} needs a person's word, for which no call of a built-in tool can wait`;
  throw new Fault("tool.blocked", {
    detail: `${why}; a person can make it, or allow it to agents (approval.tools.${name}).`,
  });
}
