import { agentOf, servicesOf, type TenantPrincipal, Fault } from "@bulkhead/core";
import {
  checkAllowedHosts,
  checkDefinition,
  checkName,
  compileCode,
  isNameTaken,
  type CreateToolRequest,
  type ToolDeps,
} from "@bulkhead/tools";

/** Fields that a model can't set. */
export const PLAIN_TOOL = {
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

/**
 * Refuses now what creation would refuse of the tool itself, while the model can still correct it. Answers the code as it
 * would run, null where that is as it was written.
 */
export async function requireSound(
  deps: Pick<ToolDeps, "tools" | "schemas" | "stripper">,
  principal: TenantPrincipal,
  request: CreateToolRequest,
): Promise<string | null> {
  checkName(request.name);
  checkAllowedHosts(request.allowedHosts);
  const compiled = await compileCode(deps, principal, request);
  await checkDefinition(deps.schemas, principal, { ...request, compiled, services: servicesOf(request) });
  return compiled;
}

/** `requireSound`, and refuses a name that another tool has. */
export async function requireCreatable(
  deps: Pick<ToolDeps, "tools" | "schemas" | "stripper">,
  principal: TenantPrincipal,
  request: CreateToolRequest,
): Promise<string | null> {
  const compiled = await requireSound(deps, principal, request);
  const { name } = request;
  const agentId = agentOf(principal, request.agentId);
  if (await isNameTaken(deps, { tenantId: principal.tenantId, agentId, name }))
    throw new Fault("tool.name_taken", { detail: `There is a tool ${name} already.` });
  return compiled;
}
