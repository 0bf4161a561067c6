import type {
  JsonObject,
  Permission,
  RequiredApiKey,
  RunLimits,
  TenantPrincipal,
  Tool,
  ToolDefinition,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { isDeepStrictEqual } from "node:util";
import { checkAllowedHosts } from "./check-allowed-hosts.ts";
import { checkDefinition, checkName, definitionWarnings } from "./check-definition.ts";
import { getTool } from "./read-tools.ts";
import type { ToolDeps } from "./tool-deps.ts";

/** Undefined fields stay as they are. */
export interface UpdateToolRequest {
  name?: string;
  description?: string;
  parameters?: JsonObject;
  code?: string;
  category?: string | null;
  permissions?: Permission[];
  limits?: Partial<RunLimits>;
  /** Null: any public host. */
  allowedHosts?: string[] | null;
  idempotent?: boolean;
  requiresApproval?: boolean;
  metadata?: JsonObject | null;
  requiredApiKeys?: RequiredApiKey[];
}

/**
 * Changes a tool; a change of anything that affects a run makes the next version, and nothing else does.
 * Throws what creation throws, and `tool.changed` when another change came between.
 */
export async function updateTool(
  deps: ToolDeps,
  principal: TenantPrincipal,
  ref: string,
  request: UpdateToolRequest,
): Promise<{ tool: Tool; warnings: string[] }> {
  const current = await getTool(deps, principal, ref);
  const { name, description, category, metadata, requiredApiKeys, requiresApproval, idempotent } = request;
  if (name !== undefined && name !== current.name) checkName(name);
  const definition = nextDefinition(current, request);
  if (definition) await checkDefinition(deps.schemas, definition);
  const tool = await deps.tools.update(principal.tenantId, current.id, current.version, {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(category === undefined ? {} : { category }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(requiredApiKeys === undefined ? {} : { requiredApiKeys }),
    ...(requiresApproval === undefined
      ? {}
      : { requiresApproval: current.createdBy === "llm" || requiresApproval }),
    ...(definition ? { definition } : {}),
  });
  if (!tool)
    throw new Fault("tool.changed", {
      detail: "Somebody else changed or deleted the tool; read it again and repeat.",
    });
  await deps.bus.publish({ type: "forget", kind: "tool", id: tool.id });
  return { tool, warnings: definitionWarnings(tool.permissions, tool.requiredApiKeys) };
}

/** The definition after the request; null when nothing that affects a run changes. */
function nextDefinition(current: Tool, request: UpdateToolRequest): ToolDefinition | null {
  const before: ToolDefinition = {
    code: current.code,
    parameters: current.parameters,
    permissions: current.permissions,
    limits: current.limits,
    allowedHosts: current.allowedHosts,
  };
  const after: ToolDefinition = {
    code: request.code ?? before.code,
    parameters: request.parameters ?? before.parameters,
    permissions: request.permissions ? [...new Set(request.permissions)].toSorted() : before.permissions,
    limits: { ...before.limits, ...request.limits },
    allowedHosts:
      request.allowedHosts === undefined ? before.allowedHosts : checkAllowedHosts(request.allowedHosts),
  };
  return isDeepStrictEqual(before, after) ? null : after;
}
