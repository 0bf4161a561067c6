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

/** A key as a secret has found it. */
export interface FoundKey {
  key: ApiKey;
  tenant: Tenant;
  goodUntil: Date | null;
}

export interface ApiKeyStore {
  create(key: ApiKey, sha256: string): Promise<ApiKey>;
  /**
   * Finds a key by its SHA-256, in hex, or by that of its former secret; with its tenant, and with the moment from which on
   * this secret opens nothing, which may have passed.
   */
  findByHash(sha256: string): Promise<FoundKey | null>;
  /** The key itself, with the moment of its own expiry; null also where its tenant is being deleted. */
  find(tenantId: string, keyId: string): Promise<FoundKey | null>;
  list(tenantId: string): Promise<ApiKey[]>;
  /** Puts a new secret in the place of the present one, which is the former one until `formerUntil`; null: there was no key. */
  rotate(
    tenantId: string,
    keyId: string,
    rotation: { sha256: string; formerUntil: Date },
  ): Promise<ApiKey | null>;
  /** Sets when each key was last used, where what is stored is a minute older, and waits for no other writer. */
  used(uses: ReadonlyMap<string, Date>): Promise<void>;
  /** The deleted key's name; null when there was none. */
  delete(tenantId: string, keyId: string): Promise<{ name: string } | null>;
}
