import { asRequiredServices, type CreateToolCall } from "@bulkhead/contracts";
import {
  agentOf,
  newToolId,
  servicesOf,
  type ConfirmedCall,
  type JsonObject,
  type TenantPrincipal,
  type Tool,
  Fault,
} from "@bulkhead/core";
import {
  checkDefinition,
  checkName,
  compileCode,
  createTool,
  isNameTaken,
  type CreateToolRequest,
} from "@bulkhead/tools";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import type { Waiting } from "../meta-tool-gate.ts";
import { changedTool } from "./changed-tool.ts";
import { keysOf } from "./required-keys.ts";
import { readParameters } from "./read-parameters.ts";

/**
 * `create_tool`: the tool counts as written by a model, whoever calls. It belongs to the agent of the call, else to the
 * tenant; `toolId` is the id it gets. Throws like creation and like the gate.
 */
export async function callCreateTool(
  deps: MetaToolDeps,
  principal: TenantPrincipal,
  { context, ...call }: CreateToolCall,
  toolId: string = newToolId(),
): Promise<Waiting | { toolId: string; answer: ReturnType<typeof createdTool> }> {
  const parameters = readParameters(call.parameters);
  const request: CreateToolRequest = {
    ...PLAIN_TOOL,
    id: toolId,
    agentId: context.agentId,
    name: call.name,
    description: call.description,
    parameters,
    code: call.code,
    category: call.category ?? null,
    permissions: call.permissions,
    requiredApiKeys: keysOf(call.required_api_keys),
    requiredConfigServices: asRequiredServices(call.required_config_services),
    createdBy: "llm",
    conversationId: context.conversationId,
  };
  const asked = { name: "create_tool", toolId, arguments: call as JsonObject, context } as ConfirmedCall;
  const check = () => requireCreatable(deps, principal, request);
  const approvalId = await deps.metaToolGate.confirm(principal, asked, check);
  if (approvalId !== null) return { approvalId };
  const { tool, warnings } = await createTool(deps, principal, request);
  return { toolId, answer: createdTool(tool, warnings) };
}

/** The answer about the created tool. */
export function createdTool(tool: Tool, warnings: string[] = []) {
  const message =
    tool.status === "pending_approval"
      ? `The tool ${tool.name} was created and waits for a person's approval: it has a dangerous permission (${tool.permissions.join(", ")}), or may do more than was approved under this name. It can't be called before.`
      : `The tool ${tool.name} was created and can be called.`;
  return changedTool(tool, message, warnings);
}

/** Refuses now whatever creation would refuse, while the model can still correct it. */
async function requireCreatable(
  deps: MetaToolDeps,
  principal: TenantPrincipal,
  request: CreateToolRequest,
): Promise<void> {
  checkName(request.name);
  const compiled = await compileCode(deps, principal, request);
  await checkDefinition(deps.schemas, principal, { ...request, compiled, services: servicesOf(request) });
  const { name } = request;
  const agentId = agentOf(principal, request.agentId);
  if (await isNameTaken(deps, { tenantId: principal.tenantId, agentId, name })) {
    throw new Fault("tool.name_taken", { detail: `There is a tool ${name} already.` });
  }
}

/** Fields that a model can't set. */
const PLAIN_TOOL = {
  alias: null,
  title: null,
  annotations: null,
  language: "javascript",
  outputSchema: null,
  limits: {},
  allowedHosts: null,
  idempotent: false,
  applyDefaults: null,
  retry: null,
  dispatch: null,
  retention: null,
  requiresApproval: undefined,
  approval: null,
  metadata: null,
} as const;
