import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadFolder } from "./load-folder.ts";
import type { LoadedFolder } from "./loaded-folder.ts";

/** Code that says which calls a person allows, in each format of a tool. */
const FILES = {
  "asking/tools.ts": `import { least } from "../least.ts";
const parameters = { type: "object", properties: { usd: { type: "number" } } } as const;
export const tools = {
  pays: { parameters, async needsApproval({ usd }: { usd: number }) { return usd > least; }, execute: () => fetch("https://a.example") },
  asks: { parameters, needsApproval: true, execute: () => 1 },
};
export const payBackToolDefinition = { id: "pay_back", parameters, run: () => 1, needsApproval: (_: unknown, { toolCallId }: { toolCallId: string }) => toolCallId };
export const unsure = { parameters, needsApproval: "maybe", execute: () => 1 };`,
  "least.ts": "export const least: number = 2;",
  "defined/tool.ts": `export const refundToolDefinition = { id: "refund", run: () => 1, needsApproval: () => false };`,
  "guarded/manifest.json": `{ "description": "Guarded.", "parameters": { "type": "object" } }`,
  "guarded/tool.ts": "import { least } from '../least.ts';\nexport default () => least;",
  "guarded/approval.js": "return args.usd > 1;",
  "bad/manifest.json": `{ "description": "Bad." }`,
  "bad/tool.ts": "import { least } from '../least.ts';\nexport default () => least;",
  "bad/approval.js": "// Asks.\nreturn process.pid > 1;",
};

const base = mkdtempSync(join(tmpdir(), "approvals-"));
const root = join(base, "tools");
const load = () => loadFolder(root, { cacheFolder: join(base, "cache") });
const write = (file: string, text: string): void => {
  const path = join(root, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  // What was written just before would not be kept.
  for (const one of [path, dirname(path), root]) utimesSync(one, 1, 1);
};
let loaded: LoadedFolder;
beforeAll(async () => {
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  loaded = await load();
});
afterAll(() => rmSync(base, { recursive: true }));

const recordOf = (name: string, { tools } = loaded) =>
  tools.find(({ record }) => record.name === name)?.record ?? expect.fail(`no tool ${name}`);
const AsyncFunction = (async () => undefined).constructor as new (
  ...text: string[]
) => (...given: unknown[]) => Promise<unknown>;
const ask = (name: string, args: object, from = loaded): Promise<unknown> =>
  new AsyncFunction("args", "context", recordOf(name, from).approvalCode ?? "")(args, { executionId: "exe" });

test("a function as needsApproval is a code of its own, with what it imports", async () => {
  expect([await ask("pays", { usd: 9 }), await ask("pays", { usd: 1 })]).toEqual([true, false]);
  expect([await ask("pay_back", {}), await ask("refund", {})]).toEqual(["exe", false]);
  for (const name of ["pays", "pay_back", "refund"]) expect(recordOf(name)).not.toHaveProperty("approval");
  expect(recordOf("asks")).toMatchObject({ approval: "ask" });
  expect(recordOf("asks")).not.toHaveProperty("approvalCode");
});

test("approval.js beside a manifest is taken as it is, also where the tool is bundled", () => {
  const { code, approvalCode } = recordOf("guarded");
  expect(approvalCode).toBe("return args.usd > 1;");
  expect(code).toMatch(/least\S* = 2/);
});

test("what can't decide is told where it was written", () => {
  expect(loaded.faults.map(({ code, file, export: name, line }) => [code, file, name, line])).toEqual([
    ["approval.invalid", "asking/tools.ts", "unsure", 8],
    ["code.invalid", "bad/approval.js", null, 2],
  ]);
});

test("it is kept with its tool until a file of it changes", async () => {
  const again = await load();
  expect(again.durations).toMatchObject({ bundleMs: 0, describeMs: 0 });
  expect(again.tools.map(({ record }) => record)).toEqual(loaded.tools.map(({ record }) => record));
  expect(await ask("pays", { usd: 5 }, again)).toBe(true);
  write("least.ts", "export const least: number = 7;");
  write("guarded/approval.js", "return args.usd > 3;");
  const changed = await load();
  expect(await ask("pays", { usd: 5 }, changed)).toBe(false);
  expect(recordOf("guarded", changed).approvalCode).toBe("return args.usd > 3;");
});
