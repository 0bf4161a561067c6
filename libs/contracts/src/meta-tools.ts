import { z } from "zod";
import { CallContext } from "./call-context.ts";
import { CALL_TOOL_EXAMPLE, CREATE_TOOL_CALL_EXAMPLE } from "./examples.ts";
import { anyObject, idOrName, text } from "./fields.ts";
import { requirements } from "./required-services.ts";
import { definition } from "./tool-fields.ts";
import { CreateTool } from "./tools.ts";

const PARAMETERS_CHARS_MAX = 256 * 1024;

/** A schema as models write it: mostly JSON in a string. The parsed value is checked like any schema. */
const Parameters = z
  .union([text(PARAMETERS_CHARS_MAX, 1), anyObject], {
    error: "must be a JSON Schema of an object: as a JSON string, or as an object",
  })
  .describe("JSON Schema of the arguments, as an object or as its JSON in a string.");

const name = idOrName.describe("The tool's name (or its id).");
const { permissions } = definition;
/** The conversation that the call belongs to; every meta-tool takes it beside its arguments. */
const context = CallContext.default({});

export const CreateToolCall = z
  .strictObject({
    name: CreateTool.shape.name,
    description: CreateTool.shape.description,
    parameters: Parameters,
    code: definition.code,
    category: CreateTool.shape.category,
    permissions: permissions.default([]),
    required_api_keys: requirements.requiredApiKeys.default([]),
    required_config_services: requirements.requiredConfigServices.default([]),
    context,
  })
  .meta({ examples: [CREATE_TOOL_CALL_EXAMPLE] });

export const UpdateToolCall = z.strictObject({
  name,
  description: CreateTool.shape.description.optional(),
  parameters: Parameters.optional(),
  code: definition.code.optional(),
  category: CreateTool.shape.category,
  permissions: permissions.optional(),
  required_api_keys: requirements.requiredApiKeys.optional(),
  required_config_services: requirements.requiredConfigServices.optional(),
  context,
});

export const ListCustomToolsCall = z.strictObject({
  category: text(64).optional().describe("Only tools of this category."),
  status: z
    .enum(["active", "disabled", "pending_approval"])
    .optional()
    .describe("Only tools with this status."),
  context,
});

export const DeleteCustomToolCall = z.strictObject({
  name,
  confirm: z.boolean().default(false).describe("Without it the answer only asks whether it is meant."),
  context,
});
export const ToggleCustomToolCall = z.strictObject({
  name,
  enabled: z.boolean().describe("False: calls are refused until it is enabled again."),
  context,
});

/** Tools that one search answers, and that one look describes. */
const SEARCHED_TOOLS_MAX = 20;
const DESCRIBED_TOOLS_MAX = 10;

export const SearchToolsCall = z.strictObject({
  query: text(500, 1).describe(
    "Words for the tool's purpose. Case, accents of Latin and Greek letters and English endings don't count, and English words that every sentence has (`the`, `of`, `to`) are ignored if there are others.",
  ),
  limit: z.int().min(1).max(SEARCHED_TOOLS_MAX).default(8).describe("How many tools are answered at most."),
  context,
});

export const DescribeToolsCall = z.strictObject({
  names: z.array(name).min(1).max(DESCRIBED_TOOLS_MAX).describe("The tools' names (or ids)."),
  context,
});

export const CallToolCall = z
  .strictObject({
    name,
    arguments: anyObject.default({}).describe("Checked against the tool's `parameters`."),
    context,
  })
  .meta({ examples: [CALL_TOOL_EXAMPLE] });

export const RunCodeCall = z.strictObject({
  code: definition.code,
  arguments: anyObject.default({}).describe("What the script reads as `args`."),
  permissions: permissions
    .default([])
    .describe("What the script itself may do, out of `network` and `database`: an agent's script none."),
  required_config_services: requirements.requiredConfigServices
    .default([])
    .describe("Services of the tenant's that the script is given, by their names; an agent's script none."),
  context,
});

const ToolSummary = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  status: z.string(),
  category: z.string().optional(),
  createdBy: z.enum(["user", "llm"]),
  usageCount: z.int(),
});

/** A tool after a meta-tool changed it, and advice about the change. */
export const ChangedTool = ToolSummary.extend({
  version: z.int(),
  pendingVersion: z.int().optional().describe("A newer version that waits for a person; `version` runs on."),
  permissions: z.array(z.string()),
  requiresApproval: z.boolean(),
  message: z.string(),
  warnings: z.array(z.string()).optional(),
});

export const ListedTools = z.object({
  tools: z.array(ToolSummary),
  stats: z.object({ total: z.int(), active: z.int(), pendingApproval: z.int() }),
  omitted: z.int().optional().describe("Older tools that match and are left out; narrow the search."),
});

export const DeletionAnswer = z.object({
  deleted: z.boolean(),
  requiresConfirmation: z.literal(true).optional(),
  name: z.string(),
  message: z.string(),
});

export const SearchedTools = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      category: z.string().optional(),
      requiresConfirmation: z.literal(true).optional(),
    }),
  ),
  message: z.string().optional(),
});

export const DescribedTools = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      status: z.string(),
      rejected: z
        .object({ version: z.int(), reason: z.string().optional() })
        .optional()
        .describe("Its newest version, if a person rejected that, and why."),
      requiresConfirmation: z.boolean(),
      parameters: anyObject.optional().describe("Absent if it is too long; see the declaration."),
      typescript: z.string().describe("A declaration of the tool as a function."),
    }),
  ),
  notFound: z.array(z.string()).optional(),
});

export type CreateToolCall = z.infer<typeof CreateToolCall>;
export type UpdateToolCall = z.infer<typeof UpdateToolCall>;
export type ListCustomToolsCall = z.infer<typeof ListCustomToolsCall>;
export type DeleteCustomToolCall = z.infer<typeof DeleteCustomToolCall>;
export type ToggleCustomToolCall = z.infer<typeof ToggleCustomToolCall>;
export type SearchToolsCall = z.infer<typeof SearchToolsCall>;
export type DescribeToolsCall = z.infer<typeof DescribeToolsCall>;
export type CallToolCall = z.infer<typeof CallToolCall>;
