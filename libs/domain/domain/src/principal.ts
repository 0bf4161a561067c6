import type { TenantLimits } from "./limits.ts";

export const ROLES = ["admin", "owner", "developer", "agent", "viewer"] as const;
export type Role = (typeof ROLES)[number];
/** The roles a tenant's key may carry; `admin` is the platform's own. */
export const TENANT_ROLES = ["owner", "developer", "agent", "viewer"] as const;
export type TenantRole = (typeof TENANT_ROLES)[number];

export interface Tenant {
  id: string;
  slug: string;
  name: string;
  limits: TenantLimits;
  createdAt: Date;
  updatedAt: Date;
}

export interface ApiKey {
  id: string;
  tenantId: string;
  name: string;
  role: TenantRole;
  agentId: string | null;
  createdAt: Date;
}

/** Who makes a request: the platform's administrator, or a tenant's key. */
export type Principal =
  | { role: "admin"; keyId: string }
  | { role: TenantRole; keyId: string; tenantId: string; agentId: string | null; limits: TenantLimits };

export type TenantPrincipal = Extract<Principal, { tenantId: string }>;
