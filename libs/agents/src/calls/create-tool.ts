import { asRequiredServices, type CreateToolCall } from "@bulkhead/contracts";
import {
  newToolId,
  type ConfirmedCall,
  type JsonObject,
  type TenantPrincipal,
  type Tool,
} from "@bulkhead/core";
import { createTool, type CreateToolRequest } from "@bulkhead/tools";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import type { Waiting } from "../meta-tool-gate.ts";
import { changedTool } from "./changed-tool.ts";
import { PLAIN_TOOL, requireCreatable } from "./creatable.ts";
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
  const check = async (): Promise<void> => void (await requireCreatable(deps, principal, request));
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
