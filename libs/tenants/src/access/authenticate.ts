import type { RevocableCache } from "@bulkhead/process";
import { type ApiKeyStore, type Principal, Fault } from "@bulkhead/core";
import { timingSafeEqual } from "node:crypto";
import { hashApiKey } from "./api-key-text.ts";

export interface AuthenticateDeps {
  apiKeys: Pick<ApiKeyStore, "findByHash">;
  /** Remembers principals by the hash of their key, tagged with the hash and the tenant's id. */
  principals: RevocableCache<Principal>;
  /** SHA-256 in hex of the administrator's key; null when there is none. */
  adminKeyHash: string | null;
}

/**
 * Allows any characters, spaces too, because operators choose the administrator's key. Node bounds it with all headers, at
 * 16 KiB.
 */
const BEARER = /^Bearer +(.+)$/i;

/**
 * The principal that the `Authorization` header stands for. Throws `auth.required` or `auth.invalid_key`, which never says
 * why.
 */
export async function authenticate(deps: AuthenticateDeps, header: string | undefined): Promise<Principal> {
  if (!header) {
    throw new Fault("auth.required", { detail: "Send the header `Authorization: Bearer <key>`." });
  }
  const key = BEARER.exec(header)?.[1];
  if (!key) {
    throw new Fault("auth.invalid_key", { detail: "The header must read `Authorization: Bearer <key>`." });
  }
  const hash = hashApiKey(key);
  if (deps.adminKeyHash && timingSafeEqual(Buffer.from(hash), Buffer.from(deps.adminKeyHash))) {
    return { role: "admin", keyId: "admin" };
  }
  const principal = await deps.principals.get(hash, () => loadPrincipal(deps.apiKeys, hash));
  if (!principal) throw new Fault("auth.invalid_key", { detail: "No such key; it may have been revoked." });
  return principal;
}

async function loadPrincipal(apiKeys: AuthenticateDeps["apiKeys"], hash: string) {
  const found = await apiKeys.findByHash(hash);
  if (!found) return null;
  const { key, tenant } = found;
  const value: Principal = {
    role: key.role,
    keyId: key.id,
    tenantId: tenant.id,
    agentId: key.agentId,
    limits: tenant.limits,
    limitsAsOf: tenant.updatedAt,
    approval: tenant.settings.approval,
    retention: tenant.settings.retention,
    applyDefaults: tenant.settings.applyDefaults,
  };
  return { value, tags: [hash, tenant.id] };
}
