import { TOOL_SORTS, TOOL_STATUSES } from "@bulkhead/core";
import { z } from "zod";
import { agentId, anyObject, pageLimit, text, wholeNumber } from "./fields.ts";
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
      "Words that all stand in the name, the description or the category, of which the last one may be a beginning; or any part of the name. Case and the accents of Latin and Greek letters don't count (`cafe` finds `Café`), nor do English endings (`looking` finds `looks`); English words that every sentence has (`the`, `of`, `to`) are left out, where others are left. Of what is written without blanks, as Chinese, Japanese and Thai, any part.",
    ),
  sort: z.enum(TOOL_SORTS).default("createdAt").describe("By what the list is ordered."),
  order: z.enum(["asc", "desc"]).optional().describe("Left out: names rise, everything else falls."),
  limit: pageLimit,
  offset: wholeNumber(0, 100_000).default(0).describe("How many entries are passed over first."),
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

export const StatsQuery = ToolQuery.pick({ agentId: true });

export const ToolList = z.object({
  tools: z.array(Tool),
  count: z.int().describe("Of all that match, whatever the page."),
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
});

/** The clients whose format of a tool's definition is written. */
export const DEFINITION_FORMATS = ["openai", "anthropic", "mcp", "ai-sdk"] as const;

export const DefinitionsQuery = z.strictObject({
  format: z.enum(DEFINITION_FORMATS).optional().describe("Left out: Bulkhead's own."),
  strict: z
    .enum(["true", "false"])
    .default("true")
    .describe("Whether schemas that the format's strict mode can express are marked for it."),
});

export const ToolDefinitionsQuery = DefinitionsQuery.extend({
  agentId: agentId
    .optional()
    .describe(
      "As this agent sees them, its own before the tenant's. Left out: the tenant's alone. An agent's key is its own agent whatever it says here.",
    ),
});

export const DefinitionList = z.object({
  tools: z.array(anyObject),
  count: z.int(),
  omitted: z.int().optional().describe("Older tools that are left out because all together are too large."),
});
