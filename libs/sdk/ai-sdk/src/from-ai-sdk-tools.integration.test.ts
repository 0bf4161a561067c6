import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { everyNth } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { data, fakeApi } from "./fixtures/fake-api.ts";
import { fromAiSdkTools, UnpublishableTools } from "./from-ai-sdk-tools.ts";

const run = promisify(execFile);

const MODULE = `import { dynamicTool, jsonSchema, tool, zodSchema, type ToolSet } from "ai";
import { z } from "zod";
import { suffix } from "./shared.ts";

interface NamedTool { name: string; description: string; inputSchema: unknown; execute: (args: any) => unknown }

/** Tells the weather. */
export const weather = tool({
  inputSchema: z.object({ city: z.string() }),
  needsApproval: true,
  async *execute({ city }, { abortSignal }) { abortSignal?.throwIfAborted(); yield "asking"; yield city + suffix; },
});
export const tools = {
  lazy: tool({ inputSchema: () => jsonSchema({ type: "object", properties: { a: {} } }), execute: () => 1 }),
  plain: dynamicTool({ description: "Plain.", inputSchema: zodSchema(z.object({})), execute: async () => 1 }),
  shown: tool({ inputSchema: z.object({}), execute: () => 1, toModelOutput: () => ({ type: "text", value: "" }) }),
} satisfies ToolSet;
export const named: NamedTool = { name: "getIssue", description: "Gets.", inputSchema: z.object({}), execute: () => 1 };
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ai-tools-"));
  mkdirSync(join(folder, "node_modules"));
  const modules = join(import.meta.dirname, "../../../../node_modules");
  for (const name of ["ai", "zod"]) symlinkSync(join(modules, name), join(folder, "node_modules", name));
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }`);
  writeFileSync(join(folder, "shared.ts"), `export const suffix = "!";`);
  writeFileSync(join(folder, "weather.ts"), MODULE);
});
afterAll(() => rmSync(folder, { recursive: true }));

const published = data({ name: "x", version: 1, status: "active", changed: true });

test("every tool of a module is published with its schema, its approval and all that it imports", async () => {
  const { client, asked } = fakeApi({ "PUT /custom-tools/": published });
  const tools = await fromAiSdkTools(pathToFileURL(join(folder, "weather.ts")), {
    client,
    agentId: "helper",
  });
  const sent = asked.map(({ what, body }) =>
    [what, body.approval, body.agentId, body.description].join(" · "),
  );
  expect(new Set(sent)).toEqual(
    new Set([
      "PUT /custom-tools/get_issue ·  · helper · Gets.",
      "PUT /custom-tools/lazy ·  · helper · Custom tool: lazy",
      "PUT /custom-tools/plain ·  · helper · Plain.",
      "PUT /custom-tools/shown ·  · helper · Custom tool: shown",
      "PUT /custom-tools/weather · ask · helper · Tells the weather.",
    ]),
  );
  const weather = asked.find(({ what }) => what.endsWith("/weather"))?.body;
  expect(weather.parameters).toMatchObject({ properties: { city: { type: "string" } }, required: ["city"] });
  expect(weather.code).toMatch(/suffix = "!"/);
  expect(tools.map((one) => one.export)).toEqual([
    "named",
    'tools["lazy"]',
    'tools["plain"]',
    'tools["shown"]',
    "weather",
  ]);
  expect(tools[3]?.warnings).toEqual(["has toModelOutput, which no call here uses"]);
});

const TOLD = `import { asSchema } from "ai";
import { named, tools, weather } from "./weather.ts";
const told = {};
for (const [name, { inputSchema }] of Object.entries({ weather, ...tools, get_issue: named })) {
  const { type, properties, required = [] } = await asSchema(inputSchema).jsonSchema;
  told[name] = { type, properties, required };
}
process.stdout.write(JSON.stringify(told));
`;

test.each(everyNth(["ai", "ai6"], 2))(
  "the schemas are those that %s itself tells models",
  async (version) => {
    const link = join(folder, "node_modules", "ai");
    rmSync(link);
    symlinkSync(join(import.meta.dirname, "../../../../node_modules", version), link);
    const file = join(folder, "told.js");
    writeFileSync(file, TOLD);
    const { stdout } = await run(process.execPath, ["--disable-warning=ExperimentalWarning", file]);
    const { client, asked } = fakeApi({ "PUT /custom-tools/": published });
    await fromAiSdkTools(join(folder, "weather.ts"), { client });
    const sent = asked.map(({ what, body: { parameters } }) => {
      const { type, properties, required = [] } = parameters;
      return [what.slice("PUT /custom-tools/".length), { type, properties, required }];
    });
    expect(Object.fromEntries(sent)).toEqual(JSON.parse(stdout));
  },
);

test("of a module with a tool at fault nothing is published", async () => {
  const { client, asked } = fakeApi({ "PUT /custom-tools/": published });
  const file = join(folder, "wrong.ts");
  writeFileSync(file, `import { generateText } from "ai";\n${MODULE}export const ask = generateText;\n`);
  const failed = await fromAiSdkTools(file, { client }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(UnpublishableTools);
  expect((failed as Error).message).toMatch(/^wrong\.ts:1:\d+ imports generateText of ai, which tools don't/);
  expect(asked).toEqual([]);
});

test("what a module exports is not taken for its file", async () => {
  const { client } = fakeApi({});
  await expect(fromAiSdkTools({} as never, { client })).rejects.toThrow("must be the path of a file");
});
