import {
  Fault,
  type ApiKeyStore,
  type CapabilityCaller,
  type Clock,
  type ExecutionStore,
  type TenantPrincipal,
} from "@bulkhead/core";
import { principalFor, type PrincipalDeps } from "@bulkhead/executions";
import { GATEWAY_ROLES } from "@bulkhead/tools/built-in";

export interface CallerDeps extends Pick<PrincipalDeps, "tenants" | "policies"> {
  apiKeys: Pick<ApiKeyStore, "find">;
  executions: Pick<ExecutionStore, "find">;
  clock: Clock;
}

/**
 * For whom the run does it: the key of its call, as it is now, and the agent that the call names, whom the audit log then names.
 * Throws `auth.forbidden`.
 */
export async function findCaller(
  { apiKeys, executions, clock, ...deps }: CallerDeps,
  { tenantId, executionId, agentId }: Pick<CapabilityCaller, "tenantId" | "executionId" | "agentId">,
): Promise<TenantPrincipal> {
  const call = await executions.find({ tenantId, executionId });
  // A draft that is tried under the tool's name is no call of it.
  if (!call || call.parentId !== null || call.source === "dry_run")
    throw forbidden("The gateway is asked by a call of its own alone.");
  const found = await apiKeys.find(tenantId, call.requestedBy);
  if (!found || (found.goodUntil !== null && found.goodUntil <= clock()))
    throw forbidden("The API key that made this call is gone or has expired.");
  const { role } = found.key;
  if (!GATEWAY_ROLES.some((known) => known === role))
    throw forbidden(`A key with the role ${role} administers nothing.`);
  return principalFor(deps, { tenantId, keyId: call.requestedBy, role, agentId });
}

const forbidden = (detail: string): Fault => new Fault("auth.forbidden", { detail });
