import { CATEGORIES_COUNTED_MAX, SUBAGENT_DEPTH_MAX, TOOL_SORTS, TOOL_STATUSES } from "@bulkhead/core";
import { z } from "zod";
import { agentId, anyObject, pageLimit, severalOf, text, userId, wholeNumber } from "./fields.ts";
import { Tool } from "./tools.ts";

const SEARCH_CHARS_MAX = 500;
const CURSOR_CHARS_MAX = 400;

export const ToolQuery = z.strictObject({
  status: z.enum(TOOL_STATUSES).optional().describe("Only tools with this status."),
  category: text(64).optional().describe("Only tools of this category."),
  createdBy: z.enum(["user", "llm"]).optional().describe("Only tools that these wrote."),
  agentId: agentId.optional().describe("Only this agent's own tools."),
  search: text(SEARCH_CHARS_MAX)
    .optional()
    .describe(
      "Finds tools that have all these words in the name, the description or the category, the last one perhaps as a beginning; or this text as any part of the name. Case and the accents of Latin and Greek letters don't count (`cafe` finds `Café`), nor do English endings (`looking` finds `looks`); English words that every sentence has (`the`, `of`, `to`) are ignored if there are others. In writing without blanks, as Chinese, Japanese and Thai, any part is found.",
    ),
  sort: z.enum(TOOL_SORTS).default("createdAt").describe("The order of the list."),
  order: z
    .enum(["asc", "desc"])
    .optional()
    .describe("Default: ascending for names, descending for everything else."),
  limit: pageLimit,
  offset: wholeNumber(0, 100_000).default(0).describe("How many entries to skip."),
  cursor: z
    .string()
    .max(CURSOR_CHARS_MAX)
    .optional()
    .describe("The `nextCursor` of the page before, with the same `sort` and `order`; instead of `offset`."),
});

export const PendingToolQuery = ToolQuery.pick({
  agentId: true,
  limit: true,
  offset: true,
  cursor: true,
});

export const StatsQuery = ToolQuery.pick({ agentId: true }).extend({
  include: severalOf(["categories", "rejected"]).describe("What is told beside the rest."),
});

export const ToolList = z.object({
  tools: z.array(Tool),
  count: z.int().describe("All matches, not only those of this page."),
  nextCursor: z.string().nullable(),
});

export const ToolStats = z.object({
  total: z.int(),
  active: z.int(),
  disabled: z.int(),
  pendingApproval: z.int(),
  createdByLLM: z.int(),
  createdByUser: z.int(),
  totalUsage: z.int(),
  rejected: z.int().optional().describe("Where `include` names it."),
  categories: z
    .array(z.object({ name: z.string(), count: z.int() }))
    .optional()
    .describe(
      `Where \`include\` names them. Those with the most tools first, at most ${CATEGORIES_COUNTED_MAX}.`,
    ),
});

/** The clients whose format of a tool's definition is written. */
export const DEFINITION_FORMATS = ["openai", "anthropic", "mcp", "ai-sdk"] as const;

const DefinitionsQuery = z.strictObject({
  format: z.enum(DEFINITION_FORMATS).optional().describe("Left out: Bulkhead's own."),
  strict: z
    .enum(["true", "false"])
    .default("true")
    .describe("Whether schemas that the format's strict mode can express are marked for it."),
});

const depth = wholeNumber(0, SUBAGENT_DEPTH_MAX)
  .optional()
  .describe("How deep a subagent asks, as `context.subagentDepth` of a call.");

export const ToolDefinitionsQuery = DefinitionsQuery.extend({
  agentId: agentId
    .optional()
    .describe(
      "The tools as this agent sees them, its own before the tenant's. Default: the tenant's alone. An agent's key always stands for its own agent.",
    ),
  userId: userId.optional(),
  subagentDepth: depth,
});

export const MetaToolDefinitionsQuery = DefinitionsQuery.extend({
  agentId: agentId
    .optional()
    .describe("The meta-tools that this agent gets. An agent's key always stands for its own agent."),
  subagentDepth: depth,
});

export const DefinitionList = z.object({
  tools: z.array(anyObject),
  count: z.int(),
  omitted: z.int().optional().describe("Older tools that are left out because all together are too large."),
});
