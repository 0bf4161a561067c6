import type { TenantSettingsChange } from "../approval/approval.ts";
import type { TenantLimits } from "../limit/limits.ts";
import type { ApiKey, Tenant } from "./principal.ts";

export interface TenantChange {
  name?: string;
  limits?: Partial<TenantLimits>;
  settings?: TenantSettingsChange;
}

export interface TenantStore {
  /** Throws `tenant.slug_taken`. */
  create(tenant: Omit<Tenant, "updatedAt">): Promise<Tenant>;
  find(tenantId: string): Promise<Tenant | null>;
  findBySlug(slug: string): Promise<Tenant | null>;
  /** Those of them that there are, in no order. */
  findAll(tenantIds: readonly string[]): Promise<Tenant[]>;
  /** Newest first; `before` is the id of the last tenant of the page before. */
  list(page: { before?: string; limit: number }): Promise<Tenant[]>;
  /** Undefined fields stay; null when there is no such tenant, or it is being deleted. */
  update(tenantId: string, change: TenantChange): Promise<Tenant | null>;
}

export interface ApiKeyStore {
  create(key: ApiKey, sha256: string): Promise<ApiKey>;
  /** Finds a key by its SHA-256, in hex; with its tenant. */
  findByHash(sha256: string): Promise<{ key: ApiKey; tenant: Tenant } | null>;
  list(tenantId: string): Promise<ApiKey[]>;
  /** The deleted key's name, and its hash so that caches can forget it; null when there was none. */
  delete(tenantId: string, keyId: string): Promise<{ sha256: string; name: string } | null>;
}
