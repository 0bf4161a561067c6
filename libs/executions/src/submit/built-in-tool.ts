import {
  decideBuiltIn,
  isBuiltInToolName,
  permissionsOfCall,
  type ApprovalDecision,
  type CommandRule,
  type InlineTool,
  type JsonObject,
  type ProvidedTool,
  type RunLimits,
  type TenantPrincipal,
  type Tool,
  Fault,
} from "@bulkhead/core";
import { decideCommand, judgeTenantCommand } from "@bulkhead/tools/built-in";

/** A tool that comes with the platform, as a call of its own runs it: within the limits of a tool that names none. */
export interface BuiltInTool {
  readonly builtIn: ProvidedTool;
  readonly name: string;
  readonly limits: RunLimits;
}

export const isBuiltIn = (tool: Tool | BuiltInTool): tool is BuiltInTool => "builtIn" in tool;

/** The script that runs: one line that calls the tool, so that no rule for calls of tools by tools is told a second time. */
export const scriptOf = ({ builtIn, name, limits }: BuiltInTool, args: JsonObject): InlineTool => ({
  code: codeOf(name),
  permissions: [...new Set([...permissionsOfCall(builtIn, args), ...(builtIn.mayUse ?? [])])],
  outputSchema: null,
  limits,
  allowedHosts: null,
  services: serviceOf(builtIn, args),
});

const codeOf = (name: string): string => `return utils.callTool(${JSON.stringify(name)}, args);`;

/** Whether it is such a script: what refuses its one call is how the call of the built-in tool ends. */
export const isScriptOf = (name: string, inlineTool: Pick<InlineTool, "code"> | null): boolean =>
  isBuiltInToolName(name) && inlineTool?.code === codeOf(name);

/** A command line that a call would run, and in which folder. */
interface CalledCommand {
  command: string;
  cwd: string | undefined;
  /** It is given nothing beside: no input, no variables. */
  isBare: boolean;
}

/** The arguments beside which a command line says all that it does. */
const BARE: ReadonlySet<string> = new Set(["action", "command", "cwd", "timeoutMs"]);

/** The command line that a call of a built-in tool would start; null for a call that starts none. */
export function commandOf(name: string, args: JsonObject): CalledCommand | null {
  const { action, command, cwd } = args;
  const starts = name === "exec" || (name === "process" && action === "start");
  if (!starts || typeof command !== "string") return null;
  const isBare = Object.keys(args).every((given) => BARE.has(given));
  return { command, cwd: typeof cwd === "string" ? cwd : undefined, isBare };
}

/** The service that the call names: a call of its own is given that one and no other. */
function serviceOf({ serviceArgument }: ProvidedTool, args: JsonObject): string[] {
  const named = serviceArgument === undefined ? undefined : args[serviceArgument];
  return typeof named === "string" ? [named] : [];
}

/** Those of the tenant's rules that speak of it: what a command does with an input or variables no rule lets run. */
export const rulesFor = ({ isBare }: CalledCommand, rules: readonly CommandRule[]): readonly CommandRule[] =>
  isBare ? rules : rules.filter(({ approval }) => approval !== "preApproved");

/**
 * What a call of a built-in tool needs, its arguments being valid. Throws `tool.blocked` where the tenant lets no agent make
 * it, or nobody may run its command, and `tool.arguments_invalid` where that can't be read.
 */
export async function decideBuiltInCall(
  { tenantId, role, approval }: Pick<TenantPrincipal, "tenantId" | "role" | "approval">,
  tool: Pick<ProvidedTool, "name" | "letBy">,
  args: JsonObject,
  byAgent = role === "agent",
): Promise<Exclude<ApprovalDecision, "blocked">> {
  const decision = byAgent ? decideBuiltIn(approval, tool, args) : "preApproved";
  const line = decision === "blocked" ? null : commandOf(tool.name, args);
  const decided =
    line === null ? decision : await decideLine(tenantId, line, byAgent ? approval.commands : [], decision);
  if (decided !== "blocked") return decided;
  throw new Fault("tool.blocked", {
    detail: `The tenant's policy blocks this call of ${tool.name} for agents; a person can make it.`,
  });
}

async function decideLine(
  tenantId: string,
  line: CalledCommand,
  rules: readonly CommandRule[],
  otherwise: ApprovalDecision,
): Promise<ApprovalDecision> {
  const judged = await judgeTenantCommand(tenantId, line.command, rulesFor(line, rules), line.cwd);
  if (judged.verdict === "run") return rules.length === 0 ? otherwise : decideCommand(judged, otherwise);
  const { because, message } = judged;
  if (because === "busy")
    throw new Fault("service.unavailable", { detail: message, internal: "no thread for reading a command" });
  if (because !== "unreadable") throw new Fault("tool.blocked", { detail: message });
  const errors = [{ path: "arguments.command", message }];
  throw new Fault("tool.arguments_invalid", { detail: `arguments.command: ${message}`, errors });
}
