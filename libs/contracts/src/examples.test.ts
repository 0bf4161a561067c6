import { expect, test } from "vitest";
import { z } from "zod";
import { ExecuteBatch, ExecuteTool } from "./calls.ts";
import { CreateConfigEntry } from "./config-entries.ts";
import { CreateConfigService } from "./config-services.ts";
import { CreateMcpServer } from "./mcp-servers.ts";
import { CallToolCall, CreateToolCall } from "./meta-tools.ts";
import { CreateSchedule } from "./schedules.ts";
import { CreateApiKey } from "./tenants.ts";
import { CreateTool, PutTool } from "./tools.ts";

test.each(
  Object.entries({
    CreateTool,
    PutTool,
    ExecuteTool,
    ExecuteBatch,
    CreateConfigService,
    CreateConfigEntry,
    CreateSchedule,
    CreateMcpServer,
    CreateApiKey,
    CreateToolCall,
    CallToolCall,
  }),
)("%s shows an example that keeps to it", (_name, schema: z.ZodType) => {
  const { examples } = z.globalRegistry.get(schema) as { examples: unknown[] };
  expect(examples).toHaveLength(1);
  expect(schema.safeParse(examples[0]).error).toBeUndefined();
});
