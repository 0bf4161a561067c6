import {
  ALLOWED_HOST_CHARS_MAX,
  ALLOWED_HOSTS_MAX,
  PERMISSIONS,
  RUN_LIMITS_MAX,
  RUN_LIMITS_MIN,
  TOOL_NAME,
  TOOL_NAME_LENGTH_MAX,
  TOOL_STATUSES,
  type RunLimits,
} from "@bulkhead/domain";
import { z } from "zod";
import { anyObject, pageLimit, text, timestamp } from "./fields.ts";

const limit = (name: keyof RunLimits) => z.int().min(RUN_LIMITS_MIN[name]).max(RUN_LIMITS_MAX[name]);

const Limits = z.strictObject({
  cpuMs: limit("cpuMs"),
  wallMs: limit("wallMs"),
  memoryMib: limit("memoryMib"),
  networkRequests: limit("networkRequests"),
  bytesIn: limit("bytesIn"),
  bytesOut: limit("bytesOut"),
  resultBytes: limit("resultBytes"),
  logBytes: limit("logBytes"),
  nestedCalls: limit("nestedCalls"),
});

const RequiredApiKey = z.strictObject({
  name: text(64, 1),
  displayName: text(200).optional(),
  description: text(2_000).optional(),
  category: text(64).optional(),
  docsUrl: text(2_000).optional(),
});

const ToolName = z
  .string()
  .max(TOOL_NAME_LENGTH_MAX)
  .regex(TOOL_NAME, "must start with a lowercase letter and hold only lowercase letters, digits and _");

const CODE_LENGTH_MAX = 256 * 1024;

const definition = {
  parameters: anyObject.describe('JSON Schema of the arguments (draft 2020-12 or 7) with `type: "object"`.'),
  code: text(CODE_LENGTH_MAX, 1).describe("JavaScript: the body of an async function."),
  permissions: z.array(z.enum(PERMISSIONS)).max(PERMISSIONS.length),
  limits: Limits.partial(),
  allowedHosts: z
    .array(text(ALLOWED_HOST_CHARS_MAX, 1))
    .max(ALLOWED_HOSTS_MAX)
    .describe(
      "Where `fetch` may go: `api.example.com`, `*.example.com` (every name below, not itself), each with or without `:port`. Left out: any public host; empty: none.",
    ),
  idempotent: z.boolean().describe("May be run again although an earlier try asked for an effect."),
};

const description = text(4_000, 1);
const optional = {
  category: text(64, 1).optional(),
  permissions: definition.permissions.default([]),
  limits: definition.limits.optional(),
  allowedHosts: definition.allowedHosts.optional(),
};

export const CreateTool = z.strictObject({
  name: ToolName,
  description,
  parameters: definition.parameters,
  code: definition.code,
  ...optional,
  idempotent: definition.idempotent.default(false),
  createdBy: z.enum(["user", "llm"]).default("user"),
  requiresApproval: z.boolean().optional(),
  metadata: anyObject.optional(),
  requiredApiKeys: z.array(RequiredApiKey).max(32).default([]),
});

export const UpdateTool = z.strictObject({
  name: ToolName.optional(),
  description: description.optional(),
  parameters: definition.parameters.optional(),
  code: definition.code.optional(),
  category: text(64, 1).nullable().optional(),
  permissions: definition.permissions.optional(),
  limits: definition.limits.optional(),
  allowedHosts: definition.allowedHosts.nullable().optional(),
  idempotent: definition.idempotent.optional(),
  requiresApproval: z.boolean().optional(),
  metadata: anyObject.nullable().optional(),
  requiredApiKeys: z.array(RequiredApiKey).max(32).optional(),
});

export const TestTool = z.strictObject({
  name: ToolName,
  description: text(4_000).optional(),
  parameters: definition.parameters.default({ type: "object", properties: {} }),
  code: definition.code,
  ...optional,
  testArguments: anyObject.default({}),
});

export const ToolQuery = z.strictObject({
  status: z.enum(TOOL_STATUSES).optional(),
  category: z.string().max(64).optional(),
  createdBy: z.enum(["user", "llm"]).optional(),
  limit: pageLimit,
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
});

export const Tool = z
  .object({
    id: z.string(),
    userId: z.string().describe("The tenant that owns the tool."),
    name: z.string(),
    description: z.string(),
    parameters: anyObject,
    code: z.string(),
    category: z.string().optional(),
    status: z.enum(TOOL_STATUSES),
    statusReason: z
      .string()
      .optional()
      .describe("Why the platform disabled the tool; enabling it starts anew."),
    permissions: z.array(z.enum(PERMISSIONS)),
    requiresApproval: z.boolean(),
    createdBy: z.enum(["user", "llm"]),
    version: z.int(),
    usageCount: z.int(),
    lastUsedAt: timestamp.optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
    metadata: anyObject.optional(),
    requiredApiKeys: z.array(RequiredApiKey),
    limits: Limits,
    allowedHosts: z.array(z.string()).optional().describe("Absent: any public host."),
    idempotent: z.boolean(),
    warnings: z.array(z.string()).optional().describe("What of the request this deployment can't give."),
  })
  .meta({ id: "Tool" });

export const ToolList = z.object({ tools: z.array(Tool), count: z.int() });
export const Deleted = z.object({ deleted: z.literal(true) });
