import { PERMISSIONS, TOOL_LANGUAGES, TOOL_STATUSES } from "@bulkhead/core";
import { z } from "zod";
import { CREATE_TOOL_EXAMPLE, PUT_TOOL_EXAMPLE } from "./examples.ts";
import { agentId, anyObject, clearable, text, timestamp } from "./fields.ts";
import { RequiredApiKey, RequiredConfigService, requirements } from "./required-services.ts";
import { Retention, store } from "./retention.ts";
import { Limits } from "./run-limits.ts";
import { RecordedAnswers } from "./tool-examples.ts";
import {
  Approval,
  category,
  commandFields,
  definition,
  description,
  Dispatch,
  metadata,
  optional,
  requiresApproval,
  Retry,
  shown,
  shownCommand,
  ToolName,
  ApplyDefaults,
} from "./tool-fields.ts";

export const CreateTool = z
  .strictObject({
    name: ToolName,
    alias: shown.alias.optional(),
    title: shown.title.optional(),
    annotations: shown.annotations.optional(),
    description,
    parameters: definition.parameters,
    code: definition.code.optional(),
    language: definition.language.default("javascript"),
    ...commandFields,
    outputSchema: definition.outputSchema.optional(),
    ...optional,
    idempotent: definition.idempotent.default(false),
    applyDefaults: ApplyDefaults.optional(),
    retry: Retry.optional(),
    dispatch: Dispatch.optional(),
    retention: Retention.optional(),
    createdBy: z
      .enum(["user", "llm"])
      .default("user")
      .describe("The author of the code; a model's may have to wait for a person."),
    agentId: agentId
      .optional()
      .describe(
        "The agent that owns the tool, for good; for that agent it comes before the tenant's tool of its name. Default: the tenant, for all agents.",
      ),
    requiresApproval: requiresApproval.optional(),
    approval: Approval.optional(),
    approvalCode: definition.approvalCode.optional(),
    metadata: metadata.optional(),
    requiredApiKeys: requirements.requiredApiKeys.default([]),
    requiredConfigServices: requirements.requiredConfigServices.default([]),
  })
  .meta({ examples: [CREATE_TOOL_EXAMPLE] });

/** The whole record: what it leaves out goes back to what a new tool has. */
export const PutTool = CreateTool.extend({
  name: ToolName.optional().describe("Left out, or as the path has it."),
  createdBy: CreateTool.shape.createdBy.describe(
    "The author of the code, for a tool that is made by this; another's stays, and what a model made can't replace a person's.",
  ),
}).meta({ examples: [PUT_TOOL_EXAMPLE] });

/** `:name` of a tool that is put. */
export const PutToolParams = z.strictObject({ id: ToolName.describe("The tool's name.") });

export const UpdateTool = z.strictObject({
  name: ToolName.optional(),
  alias: clearable(shown.alias),
  title: clearable(shown.title),
  annotations: clearable(shown.annotations),
  description: description.optional(),
  parameters: definition.parameters.optional(),
  code: definition.code.optional(),
  language: definition.language.optional(),
  ...commandFields,
  outputSchema: clearable(definition.outputSchema),
  category: clearable(category),
  permissions: definition.permissions.optional(),
  limits: definition.limits
    .nullable()
    .optional()
    .describe("The limits of one run. A missing one stays as it is; null: all have their defaults."),
  allowedHosts: clearable(definition.allowedHosts),
  idempotent: definition.idempotent.optional(),
  applyDefaults: clearable(ApplyDefaults),
  retry: clearable(Retry),
  dispatch: clearable(Dispatch),
  retention: clearable(Retention),
  requiresApproval: requiresApproval.optional(),
  approval: clearable(Approval),
  approvalCode: clearable(definition.approvalCode),
  metadata: clearable(metadata),
  requiredApiKeys: requirements.requiredApiKeys.optional(),
  requiredConfigServices: requirements.requiredConfigServices.optional(),
});

export const TestTool = z.strictObject({
  name: ToolName,
  description: text(4_000).optional().describe("What the tool does; a try needs none."),
  parameters: definition.parameters.default({ type: "object", properties: {} }),
  code: definition.code.optional(),
  language: definition.language.default("javascript"),
  ...commandFields,
  env: commandFields.env.describe(
    "As of a tool; null: the value that the tool of this `name` has, whose owner is `agentId` or the tenant.",
  ),
  outputSchema: definition.outputSchema.optional(),
  ...optional,
  requiredApiKeys: requirements.requiredApiKeys.default([]),
  requiredConfigServices: requirements.requiredConfigServices.default([]),
  applyDefaults: ApplyDefaults.optional(),
  agentId: agentId
    .optional()
    .describe("Runs as this agent's tool: names that it calls are looked up among the agent's tools first."),
  testArguments: anyObject.default({}).describe("Arguments that match `parameters`."),
  recorded: RecordedAnswers.optional(),
  mode: z
    .enum(["sync", "async"])
    .default("sync")
    .describe(
      "`sync`: the answer is the result; `async`: 202 at once, and the execution tells events and end as any does.",
    ),
  store,
});

export const Tool = z
  .object({
    id: z.string(),
    userId: z.string().describe("The tenant that owns the tool."),
    name: z.string(),
    alias: z.string().optional().describe("The name that models see; absent: `name`."),
    title: z.string().optional(),
    annotations: shown.annotations.optional(),
    mcp: z
      .object({ server: z.string(), tool: z.string().describe("As its server calls it.") })
      .optional()
      .describe(
        "The tool of an MCP server (`GET /mcp-servers`) that it stands for; absent: it has code of its own.",
      ),
    description: z.string(),
    parameters: anyObject,
    code: z.string().describe("The source as it was written; empty where there is a `command`."),
    language: z.enum(TOOL_LANGUAGES),
    ...shownCommand,
    outputSchema: anyObject.optional().describe("Absent: any result will do."),
    category: z.string().optional(),
    status: z.enum(TOOL_STATUSES),
    statusReason: z
      .string()
      .optional()
      .describe(
        "Why the platform disabled the tool (enabling it starts anew), or why a person rejected it, in their words.",
      ),
    permissions: z.array(z.enum(PERMISSIONS)),
    requiresApproval: z.boolean(),
    approval: Approval.optional(),
    approvalCode: z
      .string()
      .optional()
      .describe("Says of an agent's call whether a person is asked; absent: nothing is asked of the tool."),
    createdBy: z.enum(["user", "llm"]),
    agentId: z.string().optional().describe("Whose tool it is; absent: the tenant's, for all its agents."),
    version: z.int().describe("Rises with every change that affects a run, and with no other."),
    pendingVersion: z
      .int()
      .optional()
      .describe("A newer version that a person has to approve; until then `version` runs."),
    contentHash: z
      .string()
      .describe("SHA-256, in hex, of all that affects a run; `If-Match` of a PUT takes it."),
    usageCount: z.int(),
    lastUsedAt: timestamp.optional(),
    createdAt: timestamp,
    updatedAt: timestamp,
    metadata: anyObject.optional(),
    requiredApiKeys: z.array(RequiredApiKey),
    requiredConfigServices: z.array(RequiredConfigService),
    services: z
      .array(z.string())
      .describe("Names of the services in both lists: the only ones whose configuration it may read."),
    unconfiguredServices: z
      .array(z.string())
      .describe("Those of its services, and of a waiting version's, that a person has to fill in first."),
    limits: Limits,
    allowedHosts: z.array(z.string()).optional().describe("Absent: any public host."),
    idempotent: z.boolean(),
    applyDefaults: ApplyDefaults.optional(),
    retry: Retry.optional(),
    dispatch: Dispatch.optional(),
    retention: Retention.optional(),
    warnings: z
      .array(z.string())
      .optional()
      .describe(
        "What its maker should know: names, permissions and services that its code needs and lacks, and what of it does nothing.",
      ),
  })
  .meta({ id: "Tool" });

export const PutToolAnswer = Tool.extend({
  changed: z.boolean().describe("False: it was so before, and nothing was stored or recorded."),
}).meta({ id: "PutTool" });

export const DeletedTool = z
  .object({
    deleted: z.literal(true),
    schedulesPaused: z
      .int()
      .optional()
      .describe("Schedules that called it, and were active until now; left out where there were none."),
  })
  .describe("It is gone.");
export const Deleted = z.object({ deleted: z.literal(true) }).describe("It is gone.");
