import { ApiKeyList, shownAs } from "@bulkhead/contracts";
import {
  newApiKeyId,
  type ApiKey,
  type ApiKeyStore,
  type AuditLog,
  type Clock,
  type Principal,
  type SignalBus,
  type Tenant,
  type TenantRole,
  type TenantStore,
  Fault,
} from "@bulkhead/core";
import { hashApiKey, newApiKeyText } from "./api-key-text.ts";
import { requirePresent } from "./deletion-progress.ts";
import { requireAction } from "./roles.ts";

export interface ApiKeyDeps {
  tenants: Pick<TenantStore, "find">;
  apiKeys: ApiKeyStore;
  bus: Pick<SignalBus, "publish">;
  audit: AuditLog;
  clock: Clock;
}

export interface ApiKeyRequest {
  name: string;
  role: TenantRole;
  agentId: string | null;
  expiresAt: Date | null;
}

const DAY_MS = 86_400_000;
/** A key that is to live longer than so many days says nothing of its end. */
const KEY_DAYS_MAX = 3_660;

/** The tenant whose keys the principal may manage; another's is answered as missing. */
async function requireKeyTenant(
  deps: Pick<ApiKeyDeps, "tenants">,
  principal: Principal,
  tenantId: string,
): Promise<Tenant> {
  requireAction(principal, "keys.manage");
  const mayLook = principal.role === "admin" || principal.tenantId === tenantId;
  const tenant = mayLook ? await deps.tenants.find(tenantId) : null;
  if (!tenant) throw new Fault("tenant.not_found", { detail: "There is no tenant with this id." });
  return tenant;
}

/** The key's text is in the answer and nowhere else. */
export async function createApiKey(
  deps: ApiKeyDeps,
  principal: Principal,
  tenantId: string,
  request: ApiKeyRequest,
): Promise<{ apiKey: ApiKey; key: string }> {
  const tenant = requirePresent(await requireKeyTenant(deps, principal, tenantId));
  if (request.agentId !== null && request.role !== "agent") {
    throw new Fault("request.invalid", {
      detail: "Only a key with the role agent carries an agentId.",
      errors: [{ path: "agentId", message: "only for keys with the role agent" }],
    });
  }
  const createdAt = deps.clock();
  requireFuture(request.expiresAt, createdAt);
  const key = newApiKeyText();
  const apiKey = await deps.apiKeys.create(
    { id: newApiKeyId(), tenantId: tenant.id, ...request, createdAt, lastUsedAt: null, formerUntil: null },
    hashApiKey(key),
  );
  await deps.audit.record(principal, tenant.id, {
    action: "api_key.created",
    id: apiKey.id,
    name: apiKey.name,
    details: {
      role: apiKey.role,
      agentId: apiKey.agentId,
      ...(apiKey.expiresAt && { expiresAt: apiKey.expiresAt.toISOString() }),
    },
  });
  return { apiKey, key };
}

function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null) return;
  const ms = expiresAt.getTime() - now.getTime();
  if (ms > 0 && ms <= KEY_DAYS_MAX * DAY_MS) return;
  const message = ms > 0 ? `must be within ${KEY_DAYS_MAX} days` : "must be in the future";
  throw new Fault("request.invalid", {
    detail: `expiresAt ${message}.`,
    errors: [{ path: "expiresAt", message }],
  });
}

const noSuchKey = (): Fault =>
  new Fault("api_key.not_found", { detail: "This tenant has no key with this id." });

/**
 * Gives a key a new secret, whose text is in the answer and nowhere else. The one before opens what it did for
 * `overlapSeconds` more; one that was put aside earlier opens nothing from now on. Throws `api_key.not_found`.
 */
export async function rotateApiKey(
  deps: ApiKeyDeps,
  principal: Principal,
  tenantId: string,
  keyId: string,
  overlapSeconds: number,
): Promise<{ apiKey: ApiKey; key: string }> {
  const tenant = requirePresent(await requireKeyTenant(deps, principal, tenantId));
  const key = newApiKeyText();
  const formerUntil = new Date(deps.clock().getTime() + overlapSeconds * 1_000);
  const apiKey = await deps.apiKeys.rotate(tenant.id, keyId, { sha256: hashApiKey(key), formerUntil });
  if (!apiKey) throw noSuchKey();
  await deps.bus.publish({ type: "forget", kind: "key", id: keyId, tenantId: tenant.id });
  const deed = { action: "api_key.rotated", id: keyId, name: apiKey.name } as const;
  await deps.audit.record(principal, tenant.id, { ...deed, details: { overlapSeconds } });
  return { apiKey, key };
}

export async function listApiKeys(
  deps: { tenants: ApiKeyDeps["tenants"]; apiKeys: Pick<ApiKeyStore, "list"> },
  principal: Principal,
  tenantId: string,
): Promise<ApiKey[]> {
  const tenant = await requireKeyTenant(deps, principal, tenantId);
  return deps.apiKeys.list(tenant.id);
}

/** The key opens nothing from the answer on, with neither of its secrets. */
export async function deleteApiKey(
  deps: ApiKeyDeps,
  principal: Principal,
  tenantId: string,
  keyId: string,
): Promise<void> {
  const tenant = await requireKeyTenant(deps, principal, tenantId);
  const deleted = await deps.apiKeys.delete(tenant.id, keyId);
  if (!deleted) throw noSuchKey();
  await deps.bus.publish({ type: "forget", kind: "key", id: keyId, tenantId: tenant.id });
  await deps.audit.record(principal, tenant.id, { action: "api_key.deleted", id: keyId, name: deleted.name });
}

/** A key as people see it: none of its secrets. */
export const showApiKey = (key: ApiKey) => shownAs(ApiKeyList.shape.apiKeys.element, key, {});
