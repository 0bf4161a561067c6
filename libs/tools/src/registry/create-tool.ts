import assert from "node:assert/strict";
import {
  agentOf,
  newToolId,
  servicesOf,
  type ApprovalDecision,
  type Creator,
  type FoundRecord,
  type JsonObject,
  type NewTool,
  type Permission,
  type RequiredApiKey,
  type RequiredConfigService,
  type Retention,
  type RetryPolicy,
  type RunLimits,
  type TenantPrincipal,
  type Tool,
  type ToolDefinition,
  type ToolDispatch,
  type ToolHints,
  type ToolLanguage,
} from "@bulkhead/core";
import { askingOnce } from "./asking-once.ts";
import { judgeCreation } from "./review/capabilities.ts";
import { proposerOf, waitingVersionOf } from "./review/proposal.ts";
import { checkAllowedHosts } from "./check-allowed-hosts.ts";
import { idleApprovalCode } from "./check-approval-code.ts";
import { checkDefinition, checkName } from "./check-definition.ts";
import { checkLimits } from "./check-limits.ts";
import {
  limitsOfCommand,
  requireOneKind,
  sealVariables,
  variableWarnings,
  type CommandFields,
} from "./command-fields.ts";
import { compileCode } from "./compile-code.ts";
import { confirmationWarnings } from "./confirmation-warnings.ts";
import { judgedAnew } from "./judged-anew.ts";
import { keepServices, serviceWarnings } from "./keep-services.ts";
import { tellChange } from "./tell-change.ts";
import type { ToolDeps } from "./tool-deps.ts";

export interface CreateToolRequest extends CommandFields {
  /** The id if it was chosen before; else a new one. */
  id?: string;
  /** The agent that will own the tool; undefined: the agent of an agent's key, else the tenant. */
  agentId?: string | undefined;
  name: string;
  /** Null, or the name itself: models see the name. */
  alias: string | null;
  /** Null: the name will do. */
  title: string | null;
  annotations: ToolHints | null;
  description: string;
  parameters: JsonObject;
  /** Empty beside a command. */
  code: string;
  language: ToolLanguage;
  /** Null: any result will do. */
  outputSchema: JsonObject | null;
  category: string | null;
  permissions: Permission[];
  limits: Partial<RunLimits>;
  /** Null: any public host. */
  allowedHosts: string[] | null;
  idempotent: boolean;
  /** Null: as the tenant's settings say. */
  applyDefaults: boolean | null;
  retry: RetryPolicy | null;
  dispatch: ToolDispatch | null;
  /** Null: as the tenant's settings say. */
  retention: Retention | null;
  createdBy: Creator;
  /** Undefined: a model's tool needs approval of each call, a person's does not. */
  requiresApproval: boolean | undefined;
  /** Null: that, then the tenant's settings. */
  approval: ApprovalDecision | null;
  /** Says, of each call that nobody else decides on, whether a person is asked; unset: there is none. */
  approvalCode?: string;
  metadata: JsonObject | null;
  requiredApiKeys: RequiredApiKey[];
  requiredConfigServices: RequiredConfigService[];
  /** In which conversation it was asked for. */
  conversationId?: string | undefined;
  /** Whether a model's tool waits for a person whatever it may do; unset: only where it may do more than is approved. */
  held?: boolean;
}

/** A valid tool, with the warnings for its maker. */
export interface PreparedTool {
  tool: NewTool;
  warnings: string[];
}

/**
 * Stores a tool after checking its name, code and schemas. Throws their faults, `tool.name_taken`, and `tool.changed` if
 * its name is given up again and again meanwhile.
 */
export async function createTool(
  deps: ToolDeps,
  principal: TenantPrincipal,
  request: CreateToolRequest,
): Promise<{ tool: Tool; warnings: string[] }> {
  const judging = { ...deps, ...askingOnce(deps) };
  const { created, warnings } = await judgedAnew(async () => {
    const { tool, warnings: ofTool } = await prepareTool(judging, principal, request);
    return { created: await deps.tools.create(tool), warnings: ofTool };
  });
  await tellCreated(deps, principal, created);
  const [unconfigured = []] = await serviceWarnings(deps, created.tenantId, [created]);
  return { tool: created, warnings: [...warnings, ...unconfigured] };
}

type TellDeps = Pick<ToolDeps, "bus" | "tenantEvents" | "audit" | "rehearse" | "toolServices">;

/** Records and announces a tool that was stored. */
export async function tellCreated(deps: TellDeps, principal: TenantPrincipal, tool: Tool): Promise<void> {
  const details = { createdBy: tool.createdBy };
  await tellChange(deps, principal, "created", { before: null, after: tool, details });
  await keepServices(deps, principal, { before: null, after: tool });
  const version = waitingVersionOf(tool);
  if (version !== null) await deps.rehearse(principal, { tool, version, definition: tool });
}

/** Checks a tool's name, code and schemas and stores nothing. Throws their faults. */
export async function prepareTool(
  deps: Pick<ToolDeps, "tools" | "schemas" | "stripper" | "vault" | "clock">,
  principal: TenantPrincipal,
  asked: CreateToolRequest,
): Promise<PreparedTool> {
  const request = asWhole(asked);
  const { name } = request;
  const alias = request.alias === name ? null : request.alias;
  checkName(name);
  if (alias !== null) checkName(alias, "alias");
  const shell = await shellOf(deps, principal, request);
  const compiled = shell ? null : await compileCode(deps, principal, request);
  const services = servicesOf(request);
  const codeWarnings = await checkDefinition(deps.schemas, principal, {
    ...request,
    compiled,
    services,
    ...(shell && { shell }),
  });
  const createdBy = principal.role === "agent" ? "llm" : request.createdBy;
  const permissions = [...new Set(request.permissions)].toSorted();
  const agentId = agentOf(principal, request.agentId);
  const definition: ToolDefinition = {
    parameters: request.parameters,
    code: request.code,
    language: request.language,
    compiled,
    outputSchema: request.outputSchema,
    permissions,
    limits: checkLimits(request.limits, principal),
    allowedHosts: checkAllowedHosts(request.allowedHosts),
    services,
    ...(shell && { shell }),
    ...(request.approvalCode !== undefined && { approvalCode: request.approvalCode }),
  };
  const record = (taken: string | null) =>
    createdBy === "llm" && taken !== null
      ? deps.tools.findNameRecord(principal.tenantId, agentId, taken)
      : null;
  const [known, ofAlias] = [await record(name), await record(alias)];
  const { waits, approved, blocked } = judgeNames(createdBy, [known, ofAlias], definition, request.held);
  const proposedBy = proposerOf(principal, request.conversationId);
  const tool: NewTool = {
    ...definition,
    id: request.id ?? newToolId(),
    tenantId: principal.tenantId,
    agentId,
    name,
    alias,
    title: request.title,
    annotations: request.annotations,
    description: request.description,
    category: request.category,
    idempotent: request.idempotent,
    applyDefaults: request.applyDefaults,
    retry: request.retry,
    dispatch: request.dispatch,
    retention: request.retention,
    status: waits ? "pending_approval" : "active",
    review: waits && { ...waits, proposedBy },
    approved,
    ...(createdBy === "llm" ? { judgedBy: known?.stamp ?? null, aliasJudgedBy: ofAlias?.stamp ?? null } : {}),
    // Each call of a model's tool needs confirmation, whatever its maker asks for.
    requiresApproval: createdBy === "llm" || (request.requiresApproval ?? false),
    // A tool that people blocked stays blocked under its name, until a person decides otherwise.
    approval: request.approval ?? (blocked ? "blocked" : null),
    createdBy,
    metadata: request.metadata,
    requiredApiKeys: request.requiredApiKeys,
    requiredConfigServices: request.requiredConfigServices,
    createdAt: deps.clock(),
  };
  const idle = [...confirmationWarnings(tool, request), ...idleApprovalCode(tool)];
  return {
    tool,
    warnings: [...codeWarnings, ...variableWarnings(definition, request), ...idle],
  };
}

/** The request with what a command says of the rest; the same where there is none. Throws `request.invalid`. */
export function asWhole(request: CreateToolRequest): CreateToolRequest {
  const isCommand = request.command !== undefined;
  requireOneKind(isCommand, { ...request, services: servicesOf(request) });
  return isCommand ? { ...request, permissions: ["shell"], limits: limitsOfCommand(request, true) } : request;
}

async function shellOf(
  deps: Pick<ToolDeps, "vault">,
  { tenantId }: TenantPrincipal,
  { command, workingDirectory = "", env }: CommandFields,
): Promise<ToolDefinition["shell"]> {
  if (command === undefined) return undefined;
  return { template: command, workingDirectory, env: await sealVariables(deps, tenantId, env) };
}

/** By what was last approved under the name and under the alias; where one of them makes the tool wait, that one holds. */
function judgeNames(
  createdBy: Creator,
  records: readonly (FoundRecord | null)[],
  definition: ToolDefinition,
  held: boolean | undefined,
): ReturnType<typeof judgeCreation> & { blocked: boolean } {
  const found = records.filter((record) => record !== null);
  const judged = (found.length > 0 ? found : [null]).map((record) =>
    judgeCreation(createdBy, record?.capabilities ?? null, definition, held),
  );
  const strictest = judged.find(({ waits }) => waits !== null) ?? judged[0];
  assert(strictest, "at least one judgement is made");
  return { ...strictest, blocked: found.some(({ blocked }) => blocked) };
}
