import { readTemplates } from "@bulkhead/tools/templates";
import { expect, test } from "vitest";
import type { Asker } from "./asker.ts";
import type { McpDeps } from "./mcp-deps.ts";
import { readResource } from "./resources.ts";

const deps = { templates: readTemplates(), executions: {} as McpDeps["executions"] };
const read = async (uri: string) => {
  const { contents } = await readResource(deps, { principal: { tenantId: "ten_1" } } as Asker, uri);
  const [content] = contents;
  return JSON.parse(content && "text" in content ? content.text : "");
};

test("templates are listed, and each is read by its name", async () => {
  const { templates } = await read("bulkhead://templates");
  expect(templates).toHaveLength(12);
  expect(Object.keys(templates[0])).not.toContain("files");
  const template = await read("bulkhead://templates/csv_report");
  expect(template).toMatchObject({ name: "csv_report", tool: { name: "csv_report", permissions: [] } });
  expect(template.files["tool.js"]).toContain("utils.parseCsv");
});

test.each(["bulkhead://templates/", "bulkhead://templates/none", "bulkhead://templatesx"])(
  "%s is no resource",
  async (uri) => {
    await expect(read(uri)).rejects.toThrow();
  },
);
