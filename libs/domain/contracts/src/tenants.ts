import { TENANT_LIMITS_MAX, TENANT_ROLES } from "@bulkhead/domain";
import { z } from "zod";
import { pageLimit, text, timestamp } from "./fields.ts";

const Slug = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{1,62}$/,
    "must be 2 to 63 lowercase letters, digits or hyphens, starting with a letter",
  );

const TenantLimits = z.strictObject({
  maxConcurrentExecutions: z
    .int()
    .min(1)
    .max(TENANT_LIMITS_MAX.maxConcurrentExecutions)
    .describe("Executions that may hold a slot at one time."),
});

export const CreateTenant = z.strictObject({
  slug: Slug,
  name: text(200, 1),
  limits: TenantLimits.partial().optional(),
});

export const UpdateTenant = z.strictObject({
  name: text(200, 1).optional(),
  limits: TenantLimits.partial().optional(),
});

export const Tenant = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    limits: TenantLimits,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Tenant" });

export const TenantPage = z.object({ tenants: z.array(Tenant), nextCursor: z.string().nullable() });
export const TenantQuery = z.strictObject({
  limit: pageLimit,
  cursor: z
    .string()
    .regex(/^ten_[0-9a-f]{16}$/, "must be the nextCursor of the page before")
    .optional(),
});

export const CreateApiKey = z.strictObject({
  name: text(200, 1),
  role: z.enum(TENANT_ROLES),
  agentId: text(200, 1).optional().describe("Only for keys with the role agent."),
});

export const ApiKey = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    name: z.string(),
    role: z.enum(TENANT_ROLES),
    agentId: z.string().optional(),
    createdAt: timestamp,
  })
  .meta({ id: "ApiKey" });

export const CreatedApiKey = ApiKey.extend({ key: z.string().describe("Shown this once; keep it.") });
export const ApiKeyList = z.object({ apiKeys: z.array(ApiKey), nextCursor: z.null() });
