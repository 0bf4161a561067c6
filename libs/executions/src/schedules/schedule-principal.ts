import {
  type ApiKey,
  type ApiKeyStore,
  type Clock,
  type Schedule,
  type TenantPrincipal,
  type TenantStore,
  Fault,
  SCHEDULE_KEY_GONE,
} from "@bulkhead/core";
import type { CallableDeps } from "../attempt/callable-tools.ts";

export interface KeyDeps {
  apiKeys: Pick<ApiKeyStore, "find">;
  clock: Clock;
}

export interface PrincipalDeps extends KeyDeps, Pick<CallableDeps, "policies"> {
  tenants: Pick<TenantStore, "find">;
}

type Made = Pick<Schedule, "tenantId" | "createdBy" | "madeByTool">;
type Actor = Pick<ApiKey, "role" | "agentId">;

/**
 * For whom a schedule's planned calls are made, under the tenant's present limits. What a person made acts as a developer's key
 * and outlives the one that made it; what a run made acts as the key of that run's call, and has to wait for a person where its
 * agent would. Throws `schedule.key_gone`.
 */
export async function principalOf(deps: PrincipalDeps, made: Made): Promise<TenantPrincipal> {
  const { tenantId, createdBy: keyId } = made;
  return principalFor(deps, { tenantId, keyId, ...((await makersKey(deps, made)) ?? A_DEVELOPER) });
}

/** A key's principal outside of a request, under the tenant's present limits, settings and policy. Throws `tenant.not_found`. */
export async function principalFor(
  deps: Pick<PrincipalDeps, "tenants" | "policies">,
  { tenantId, keyId, role, agentId }: Actor & { tenantId: string; keyId: string },
): Promise<TenantPrincipal> {
  const tenant = await deps.tenants.find(tenantId);
  // One that is being deleted runs nothing any more.
  if (!tenant || tenant.deletingAt) throw new Fault("tenant.not_found");
  const { limits, updatedAt, settings, policyVersion = 0 } = tenant;
  const { approval, retention, applyDefaults } = settings;
  return {
    role,
    keyId,
    tenantId,
    agentId,
    limits,
    limitsAsOf: updatedAt,
    approval,
    retention,
    applyDefaults,
    policy: await deps.policies.of(tenantId, policyVersion),
  };
}

const A_DEVELOPER: Actor = { role: "developer", agentId: null };

/** The key by whose call a tool's run made it; null where a person did. Throws `schedule.key_gone`. */
export async function makersKey(
  { apiKeys, clock }: KeyDeps,
  { tenantId, createdBy, madeByTool }: Made,
): Promise<Actor | null> {
  if (madeByTool === null) return null;
  const found = await apiKeys.find(tenantId, createdBy);
  if (!found || (found.goodUntil !== null && found.goodUntil <= clock()))
    throw new Fault("schedule.key_gone", {
      detail: `${SCHEDULE_KEY_GONE} It runs no more; make another one.`,
    });
  return found.key;
}
