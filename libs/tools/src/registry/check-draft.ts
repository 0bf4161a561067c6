import type { RunLimits, RunnableTool, TenantPrincipal, ToolDefinition } from "@bulkhead/core";
import { checkDefinition } from "./check-definition.ts";
import {
  limitsOfCommand,
  requireOneKind,
  sealVariables,
  variableWarnings,
  type CommandFields,
} from "./command-fields.ts";
import { compileCode } from "./compile-code.ts";
import type { ToolDeps } from "./tool-deps.ts";

type DraftDeps = Pick<ToolDeps, "schemas" | "stripper" | "vault" | "tools">;

/** A tool that is not stored. */
export interface Draft
  extends CommandFields, Omit<ToolDefinition, "limits" | "allowedHosts" | "compiled" | "shell"> {
  /** `env` takes the values that it leaves as they are from the tool of this name; unset: from none. */
  name?: string;
  /** The agent among whose tools that name is looked up first. */
  agentId?: string | undefined;
  limits?: Partial<RunLimits>;
  allowedHosts?: string[] | null;
}

/** What runs of it, with warnings for its maker; `limits` as they are asked for. */
export interface CheckedDraft extends Pick<RunnableTool, "code" | "permissions" | "shell"> {
  limits: Partial<RunLimits>;
  warnings: string[];
}

/** Throws what a tool's creation would throw of its code, its command and its schemas. */
export async function checkDraft(
  deps: DraftDeps,
  principal: TenantPrincipal,
  draft: Draft,
): Promise<CheckedDraft> {
  const { command, workingDirectory = "", env } = draft;
  requireOneKind(command !== undefined, draft);
  if (command === undefined) {
    const compiled = await compileCode(deps, principal, draft);
    const warnings = await checkDefinition(deps.schemas, principal, { ...draft, compiled });
    const { code, permissions, limits = {} } = draft;
    return { code: compiled ?? code, permissions, limits, warnings };
  }
  const shell = {
    template: command,
    workingDirectory,
    env: await sealVariables(deps, principal.tenantId, env, await formerVariables(deps, principal, draft)),
  };
  const permissions: RunnableTool["permissions"] = ["shell"];
  const ofSchemas = await checkDefinition(deps.schemas, principal, {
    ...draft,
    permissions,
    compiled: null,
    shell,
  });
  return {
    code: "",
    permissions,
    shell,
    limits: limitsOfCommand(draft, true),
    warnings: [...ofSchemas, ...variableWarnings({ shell }, draft)],
  };
}

/** The sealed values of the stored tool, which whoever may test may give to another command of it, too. */
async function formerVariables(
  { tools }: Pick<DraftDeps, "tools">,
  { tenantId }: TenantPrincipal,
  { name, agentId: owner, env = {} }: Draft,
): Promise<NonNullable<RunnableTool["shell"]>["env"]> {
  if (name === undefined || !Object.values(env).includes(null)) return {};
  const agentId = owner ?? null;
  const tool = await tools.find(tenantId, name, { agentId, seesAll: true });
  return tool?.agentId === agentId ? (tool.shell?.env ?? {}) : {};
}
