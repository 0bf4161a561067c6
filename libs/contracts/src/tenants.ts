import {
  DELETION_KINDS,
  DELETION_LEFT_MAX,
  TENANT_LIMITS_DEFAULT,
  TENANT_LIMITS_MAX,
  TENANT_LIMITS_MIN,
  TENANT_ROLES,
  type TenantLimits as Limits,
} from "@bulkhead/core";
import { z } from "zod";
import { approvalWarnings, TenantSettings, TenantSettingsChange } from "./approvals.ts";
import { API_KEY_EXAMPLE } from "./examples.ts";
import { agentId, displayedName, pageCursor, pageLimit, timestamp } from "./fields.ts";

const Slug = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{1,62}$/,
    "must be 2 to 63 lowercase letters, digits or hyphens, starting with a letter",
  )
  .describe("A short name that no other tenant has; it stays.");

const TenantName = displayedName(200).describe("A name for people.");

const limit = (name: keyof Limits, meaning: string) =>
  z
    .int()
    .min(TENANT_LIMITS_MIN[name])
    .max(TENANT_LIMITS_MAX[name])
    .describe(`${meaning} ${TENANT_LIMITS_DEFAULT[name]} unless set.`);

const TenantLimits = z.strictObject({
  maxConcurrentExecutions: limit("maxConcurrentExecutions", "Executions that may hold a slot at one time."),
  executionsPerSecond: limit(
    "executionsPerSecond",
    "Executions that may start in a second, in the long run; further ones wait.",
  ),
  executionBurst: limit("executionBurst", "Executions that may start at once after a pause."),
  maxQueuedExecutions: limit(
    "maxQueuedExecutions",
    "Executions that may wait; more is refused with 429 `tenant.backlog_full`.",
  ),
  requestsPerSecond: limit(
    "requestsPerSecond",
    "Requests in a second, and at once after a pause; more is refused with 429 `tenant.rate_limited`.",
  ),
  sessionCallsPerMinute: limit(
    "sessionCallsPerMinute",
    "Calls of tools in a minute for each `context.sessionKey`, and at once after a pause; more is refused with 429 `session.rate_limited`. 0 means any number.",
  ),
  weight: limit("weight", "The share of the workers' time, against the other tenants' weights."),
  cpuMs: limit("cpuMs", "Ceiling of a run's processor time, in milliseconds."),
  wallMs: limit("wallMs", "Ceiling of a run's time, in milliseconds."),
  memoryMib: limit("memoryMib", "Ceiling of a run's heap, in MiB."),
  networkRequests: limit("networkRequests", "Ceiling of a run's requests."),
  bytesIn: limit("bytesIn", "Ceiling of the bytes that a run's responses bring in."),
  bytesOut: limit("bytesOut", "Ceiling of the bytes that a run's requests send out."),
  resultBytes: limit("resultBytes", "Ceiling of a run's result, in bytes."),
  logBytes: limit("logBytes", "Ceiling of the bytes that a run logs and emits."),
  nestedCalls: limit("nestedCalls", "Ceiling of a run's calls of other tools."),
  maxFiles: limit("maxFiles", "Files of all workspaces."),
  maxFileBytes: limit("maxFileBytes", "Bytes of one file."),
  maxAllFileBytes: limit("maxAllFileBytes", "Bytes of all files together; former versions don't count."),
  maxCollections: limit("maxCollections", "Collections of custom data, of all agents and users together."),
  maxDocuments: limit("maxDocuments", "Documents of custom data."),
  maxDocumentBytes: limit("maxDocumentBytes", "Bytes of one document, as JSON."),
  maxAllDocumentBytes: limit("maxAllDocumentBytes", "Bytes of all documents together, as JSON."),
  messagesPerDay: limit(
    "messagesPerDay",
    "Messages by channels in 24 hours, one for each recipient, in the long run, and as many at once after a pause; more is refused.",
  ),
  maxDevices: limit("maxDevices", "Paired devices; more is refused with 409 `device.too_many`."),
} satisfies Record<keyof Limits, z.ZodInt>);

const LIMITS_MEANING = "The tenant's limits. A missing one has its default, in a change its former value.";

export const CreateTenant = z.strictObject({
  slug: Slug,
  name: TenantName,
  limits: TenantLimits.partial().optional().describe(LIMITS_MEANING),
  settings: TenantSettingsChange.optional().describe("The same as for `PATCH /tenant/settings`."),
});

export const UpdateTenant = z.strictObject({
  name: TenantName.optional(),
  limits: TenantLimits.partial().optional().describe(LIMITS_MEANING),
  settings: TenantSettingsChange.optional().describe("The same as for `PATCH /tenant/settings`."),
});

const DeletedCounts = z.partialRecord(z.enum(DELETION_KINDS), z.int().min(0));

const DeletionProgress = z
  .object({
    requestedAt: timestamp,
    gone: DeletedCounts.describe("How many of each kind are deleted. Things that depend on one go with it."),
    left: DeletedCounts.describe(`By kind, how many are left; of more than ${DELETION_LEFT_MAX}, so many.`),
  })
  .describe("Only while it is being deleted, where one tenant is read.");

export const Tenant = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    limits: TenantLimits,
    settings: TenantSettings,
    createdAt: timestamp,
    updatedAt: timestamp,
    status: z
      .enum(["active", "deleting"])
      .describe("`deleting`: its keys open nothing any more, and its data go, step by step."),
    progress: DeletionProgress.optional(),
  })
  .meta({ id: "Tenant" });

/** A tenant as a change left it. */
export const UpdatedTenant = Tenant.safeExtend({ warnings: approvalWarnings }).meta({ id: "UpdatedTenant" });

export const DeletingTenant = Tenant.extend({ status: z.literal("deleting"), progress: DeletionProgress })
  .describe(
    "The progress of its deletion. `GET /tenants/:id` shows it from then on, and is 404 when it is done.",
  )
  .meta({ id: "DeletingTenant" });
export const DeleteTenantQuery = z.strictObject({
  slug: z
    .string()
    .max(63)
    .describe("The slug of the tenant: a deletion can't be taken back, so that no id alone makes one."),
});

export const TenantPage = z.object({ tenants: z.array(Tenant), nextCursor: z.string().nullable() });
export const TenantQuery = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor(/^ten_[0-9a-f]{16}$/),
});

export const CreateApiKey = z
  .strictObject({
    name: displayedName(200).describe("A name for people, to tell keys apart."),
    role: z
      .enum(TENANT_ROLES)
      .describe(
        "`owner`: everything in the tenant; `developer`: its tools, services and schedules, and runs; `agent`: runs tools and proposes them; `viewer`: reads.",
      ),
    agentId: agentId
      .optional()
      .describe(
        "Only for keys with the role agent: the agent that they are, with its own tools before the tenant's. Left out: none.",
      ),
    expiresAt: timestamp
      .optional()
      .describe("From then on the key opens nothing. In the future, within 3,660 days. Left out: never."),
  })
  .meta({ examples: [API_KEY_EXAMPLE] });

const ApiKey = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    name: z.string(),
    role: z.enum(TENANT_ROLES),
    agentId: z.string().optional(),
    createdAt: timestamp,
    expiresAt: timestamp.optional().describe("From then on it opens nothing; absent: never."),
    lastUsedAt: timestamp.optional().describe("To about a minute; absent if it was not used yet."),
    formerUntil: timestamp
      .optional()
      .describe(
        "From then on the secret before the present one opens nothing (it may have passed; `expiresAt` ends both); absent: there was none.",
      ),
  })
  .meta({ id: "ApiKey" });

/** A former secret works for a week at the most. */
const OVERLAP_SECONDS_MAX = 604_800;
const OVERLAP_SECONDS_DEFAULT = 3_600;

export const RotateApiKey = z.strictObject({
  overlapSeconds: z
    .int()
    .min(0)
    .max(OVERLAP_SECONDS_MAX)
    .default(OVERLAP_SECONDS_DEFAULT)
    .describe(
      "For so long the secret before the new one works, too; one that was put aside earlier ends at once.",
    ),
});

export const CreatedApiKey = ApiKey.extend({ key: z.string().describe("Shown this once; keep it.") });
export const ApiKeyList = z.object({ apiKeys: z.array(ApiKey), nextCursor: z.null() });
