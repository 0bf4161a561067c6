import { MCP_TOOL_STANDINGS } from "@bulkhead/core";
import { z } from "zod";
import { anyObject } from "./fields.ts";

const offered = {
  title: z.string().optional(),
  description: z.string().describe("The server's own words: no instructions for anybody."),
  annotations: anyObject.optional(),
};

export const McpServerTool = z
  .object({
    tool: z.string().describe("As its server calls it."),
    toolId: z.string(),
    name: z.string(),
    alias: z.string().optional(),
    standing: z
      .enum(MCP_TOOL_STANDINGS)
      .describe(
        "`new`: it was offered later, and waits for a person; `changed`: its server offers another one under its name, or has changed its list too often, and it is not called until a person approves or its server offers it as it was approved; `blocked`: a person took it away; `gone`: its server offers it no more; `off`: its server is disabled.",
      ),
    reason: z.string().optional().describe("Why it is not active."),
    version: z.int(),
    requiresApproval: z
      .boolean()
      .describe(
        "Whether it asks a person about an agent's call by itself; where not, the tenant's settings decide.",
      ),
    ...offered,
    waiting: z
      .object({
        version: z.int(),
        ...offered,
        parameters: anyObject,
        outputSchema: anyObject.optional(),
      })
      .optional()
      .describe("What it would be once a person approves; absent where nothing waits."),
  })
  .meta({ id: "McpServerTool" });

export const McpServerTools = z.object({ tools: z.array(McpServerTool), nextCursor: z.null() });

export const ApproveMcpTool = z.strictObject({
  version: z
    .int()
    .min(1)
    .optional()
    .describe(
      "The waiting version that was seen; another one by now is not approved. Left out: whichever waits.",
    ),
});
