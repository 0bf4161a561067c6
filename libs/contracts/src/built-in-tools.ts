import { PERMISSIONS, TENANT_ROLES, TOOL_HINTS } from "@bulkhead/core";
import { z } from "zod";
import { anyObject } from "./fields.ts";

const BuiltInTool = z
  .object({
    name: z.string().describe("What calls name; no tool of a tenant's can be created under it."),
    title: z.string(),
    description: z.string().describe("As models read it."),
    group: z.string().describe("The policy's group that it is in, such as `fs` for `group:fs`."),
    parameters: anyObject.describe("JSON Schema of the arguments."),
    annotations: z.partialRecord(z.enum(TOOL_HINTS), z.boolean()).describe("As MCP has them."),
    permission: z
      .enum(PERMISSIONS)
      .nullable()
      .describe("What a tool needs to call it by `utils.callTool`; null: nothing."),
    letBy: z
      .enum(["policy", "name"])
      .describe(
        "What lets an agent call it: that its policy has it (`policy`), or alone the tenant's word of it, `approval.tools.<name>` or a rule (`name`).",
      ),
    onlyForKeys: z
      .array(z.enum(TENANT_ROLES))
      .optional()
      .describe(
        "It runs by the own call of a key with one of these roles alone; no tool or script may call it. Absent: any key that may run tools, and tools.",
      ),
    engine: z
      .object({
        available: z.boolean(),
        missing: z
          .string()
          .nullable()
          .describe("What this deployment, or the tenant that asks, lacks for it; null: nothing."),
      })
      .describe(
        "Whether it works here. One that doesn't is offered to nobody, and says why when it is called.",
      ),
  })
  .meta({ id: "BuiltInTool" });

export const BuiltInToolList = z
  .object({ tools: z.array(BuiltInTool), nextCursor: z.null() })
  .describe("The tools that come with the platform. A key of an agent sees those that its policy has.");
