import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fromAiSdkTools } from "@bulkhead/ai-sdk";
import { Bulkhead } from "@bulkhead/client";
import { isNightly, sharedProduct } from "@bulkhead/testing";
import { importFolderOf, loadFolder } from "bulkhead-cli/folders";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newTenant, type Client } from "../support/client.ts";

const product = await sharedProduct();

const FILES: Readonly<Record<string, string>> = {
  "fetch-products/manifest.json": `{ "description": "Fetches.", "input": { "n": { "type": "number", "required": true } } }`,
  "fetch-products/tool.js": "return { count: input.n + 1 };",
  "packed/manifest.json": `{ "description": "Packed.", "input": { "t": { "type": "string", "required": true } } }`,
  "packed/tool.ts": `import ms from "ms";\nexport default ({ t }: { t: string }) => ms(t);`,
  "my-tool/tool.js": `export const workflowMyToolToolDefinition = {
  id: "workflow-my-tool",
  run: async (input, context) => ({ input, tool: context.toolName }),
};`,
  "calc/tools.ts": `import { z } from "zod";
import semver from "semver";
/** Doubles. */
export const double = ({ n }: { n: number }) => n * 2;
export const doubleSchema = z.object({ n: z.number() });
const Row = z.object({ id: z.string() });
export const tools = [
  {
    name: "readRow",
    inputSchema: z.object({ text: z.string() }),
    execute: ({ text }: { text: string }) => Row.safeParse(JSON.parse(text)).success,
  },
  {
    name: "countUp",
    inputSchema: z.object({ to: z.number().default(2) }),
    async *execute({ to }: { to: number }) { for (let n = 1; n <= to; n++) yield { n }; },
  },
  { name: "newer", inputSchema: z.object({}), execute: () => semver.gt("1.2.4", "1.2.3") },
];`,
};

/** Tried at night: zod's old version is a bundle of its own. */
const TOOLSET: Readonly<Record<string, string>> = {
  "worker/bulkhead.yaml": `toolsets:
  custom: { module: ./mine.ts, tools: [shout], approval: { tools: { shout: preApproved } } }
`,
  "worker/mine.ts": `import { z } from "zod/v3";
export const shout = ({ text }: { text: string }) => text.toUpperCase();
export const shoutSchema = z.object({ text: z.string() });`,
};

/** By day all but the last. */
const TOOLS = isNightly ? 8 : 7;

let owner: Client;
let folder: string;
beforeAll(async () => {
  ({ owner } = await newTenant(product));
  folder = mkdtempSync(join(tmpdir(), "folders-"));
  for (const [file, text] of Object.entries(isNightly ? { ...FILES, ...TOOLSET } : FILES)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  const { tools, faults } = await loadFolder(folder);
  expect(faults).toEqual([]);
  const folders = Object.fromEntries(tools.map((tool) => [tool.record.name, importFolderOf(tool)]));
  const imported = await owner.post("/api/v1/custom-tools/import", { tools: folders });
  expect(imported.body).toMatchObject({ success: true, data: { created: TOOLS } });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const CALLS: [tool: string, args: object, result: unknown][] = [
  ["fetch_products", { n: 1 }, { count: 2 }],
  ["packed", { t: "1d" }, 86_400_000],
  ["workflow-my-tool", { a: 1 }, { input: { a: 1 }, tool: "workflow_my_tool" }],
  ["double", { n: 2 }, 4],
  ["readRow", { text: `{ "id": 1 }` }, false],
  ["countUp", {}, { n: 2 }],
  ["newer", {}, true],
  ["shout", { text: "hi" }, "HI"],
];

test.each(CALLS.slice(0, TOOLS))(
  "what a folder's %s returns is what its author wrote",
  async (name, args, result) => {
    const { body } = await owner.post(`/api/v1/custom-tools/${name}/execute`, { arguments: args });
    expect(body.data).toMatchObject({ status: "succeeded", result });
  },
);

test("the evidence of a version names the packages in its code", async () => {
  const { body } = await owner.get("/api/v1/custom-tools/packed/versions/1/evidence");
  expect(body.data.packages).toEqual([
    { name: "ms", version: "2.1.3", integrity: expect.stringMatching(/^sha512-/) },
  ]);
});

const OF_THE_AI_SDK = `import { tool } from "ai";
import { z } from "zod";
export const countTo = tool({
  description: "Counts.",
  inputSchema: z.object({ to: z.number() }),
  async *execute({ to }, { abortSignal, toolCallId, messages }) {
    abortSignal.throwIfAborted();
    for (let n = 1; n < to; n++) yield n;
    yield { to, isNamed: toolCallId.length > 0, messages: messages.length };
  },
});
`;

test.runIf(isNightly)(
  "a file of the AI SDK's tools is published, and runs as the AI SDK runs it",
  async () => {
    const file = join(folder, "of-the-ai-sdk.ts");
    writeFileSync(file, OF_THE_AI_SDK);
    const client = new Bulkhead({ url: product.url, key: owner.key ?? "" });
    const [published] = await fromAiSdkTools(file, { client });
    expect(published).toMatchObject({ name: "count_to", alias: "countTo", status: "active", changed: true });
    expect(await fromAiSdkTools(file, { client })).toMatchObject([{ changed: false }]);
    const yielded: unknown[] = [];
    for await (const { event, data } of client.tools.stream("countTo", { to: 3 }))
      if (event === "execution.progress") yielded.push(data.value);
    const result = { to: 3, isNamed: true, messages: 0 };
    expect(yielded).toEqual([1, 2, result]);
    expect(await client.tools.run("countTo", { to: 3 })).toEqual(result);
  },
);
