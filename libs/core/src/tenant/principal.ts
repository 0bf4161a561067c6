import type { ApprovalSettings, TenantSettings } from "../approval/approval.ts";
import type { AccessToken } from "./access-token.ts";
import type { TenantLimits } from "../limit/limits.ts";
import type { Retention } from "../execution/retention.ts";
import type { Asker, Policy } from "./policy.ts";

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
  settings: TenantSettings;
  createdAt: Date;
  updatedAt: Date;
  /** Rises with every change of its policy; unset or 0: it has none. */
  policyVersion?: number;
  /** Since when it is being deleted; unset where it is not. */
  deletingAt?: Date;
}

export interface ApiKey {
  id: string;
  tenantId: string;
  name: string;
  role: TenantRole;
  agentId: string | null;
  createdAt: Date;
  /** From when on it opens nothing; null: never. */
  expiresAt: Date | null;
  /** To about a minute; null: it was not used yet. */
  lastUsedAt: Date | null;
  /** From when on its former secret opens nothing, unless the key ends before; null: it has had no other. */
  formerUntil: Date | null;
}

/** The maker of a request: the platform's administrator, or a tenant's key. */
export type Principal =
  | { role: "admin"; keyId: string; requestId?: string; goodUntil?: Date }
  | {
      role: TenantRole;
      keyId: string;
      /** The id of the request that is being served, for the audit log; unset where there is none, as for schedules. */
      requestId?: string;
      /** From when on what it was told by (a key, a session, a token) opens nothing; unset: no such moment is known. */
      goodUntil?: Date;
      /** Set where an access token asks for the key: it may do no more than this says. */
      accessToken?: AccessToken;
      tenantId: string;
      agentId: string | null;
      limits: TenantLimits;
      limitsAsOf: Date;
      approval: ApprovalSettings;
      /** The tenant's retention of its executions' data; unset or null: none. */
      retention?: Retention | null;
      /** The tenant's setting; unset: no. */
      applyDefaults?: boolean;
      /** Rises with every change of the tenant's policy; unset or 0: it has none. */
      policyVersion?: number;
      /** The policy itself; unset or null: everything is allowed. */
      policy?: Policy | null;
      /** Who asks by the request's headers, where its call says nothing else. */
      asks?: Pick<Asker, "provider" | "group" | "userId">;
    };

export type TenantPrincipal = Extract<Principal, { tenantId: string }>;
