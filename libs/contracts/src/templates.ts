import { PERMISSIONS } from "@bulkhead/core";
import { z } from "zod";
import { anyObject } from "./fields.ts";
import { ToolExample } from "./tool-examples.ts";

const TemplateSummary = z.object({
  name: z.string().describe("The template's name, and its tool's."),
  title: z.string(),
  description: z.string().describe("The tool's description, as models read it."),
  tags: z.array(z.string()),
  permissions: z.array(z.enum(PERMISSIONS)),
  services: z.array(z.string()).describe("Services whose keys a person has to fill in before it runs."),
});

export const TemplateList = z
  .object({ templates: z.array(TemplateSummary.meta({ id: "TemplateSummary" })), nextCursor: z.null() })
  .describe("All templates, by name.");

export const Template = TemplateSummary.extend({
  needsBundling: z
    .boolean()
    .describe("Its code imports npm packages: it has to be bundled into one file before a server takes it."),
  tool: anyObject
    .optional()
    .describe("The body of `POST /custom-tools` that makes it. Absent where it has to be bundled first."),
  files: z
    .record(z.string(), z.string())
    .describe("The texts of its folder by their paths, in the form of an import."),
  examples: z
    .array(z.object({ name: z.string(), example: ToolExample }))
    .describe("Calls of it with what comes of them, and the answers of the outside."),
})
  .meta({ id: "Template" })
  .describe("A tool to begin with.");
