import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isNightly } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FILES } from "./fixtures/folder-files.ts";
import { loadFolder, UnreadableFolder } from "./load-folder.ts";
import type { FolderFault, LoadedFolder, LoadedTool } from "./loaded-folder.ts";

let root: string;
let loaded: LoadedFolder;

beforeAll(async () => {
  const base = mkdtempSync(join(tmpdir(), "folder-"));
  root = join(base, "tools");
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  writeFileSync(join(base, "secret.json"), `{ "password": "hunter2" }`);
  writeFileSync(join(base, "secret.ts"), "export const a = 1;");
  symlinkSync(join(import.meta.dirname, "../../../../node_modules"), join(root, "node_modules"));
  loaded = await loadFolder(root);
}, 120_000);
afterAll(() => rmSync(dirname(root), { recursive: true }));

const toolOf = (name: string, agentId?: string): LoadedTool =>
  loaded.tools.find(({ record }) => record.name === name && record.agentId === agentId) ??
  expect.fail(`no tool ${name} among ${loaded.tools.map(({ record }) => record.name).join(", ")}`);
const faultsOf = (folder: string): Partial<FolderFault>[] =>
  loaded.faults
    .filter(({ file }) => file.startsWith(`${folder}/`))
    .map(({ severity, code, export: name, line, column }) => ({
      severity,
      code,
      export: name,
      line,
      column,
    }));
const at = (code: string, name: string | null, line: number | null, column: number | null = 1) => ({
  severity: "error",
  code,
  export: name,
  line,
  column,
});

test("a folder with a manifest is what an import makes of it", () => {
  expect(toolOf("fetch_products")).toMatchObject({
    from: { file: "fetch-products/tool.js", export: null },
    record: {
      alias: "fetch-products",
      code: "return { category: input.category };",
      parameters: { type: "object", properties: { category: { type: "string" } }, required: ["category"] },
      metadata: { package: { readme: "# Products", examples: { "basic.json": { category: "laptop" } } } },
    },
  });
  expect(faultsOf("bad-manifest")).toEqual([at("manifest.invalid", null, 3, 21)]);
  expect(faultsOf("bad-code")).toEqual([at("code.invalid", null, 2, 8)]);
});

test("a package is part of the code, which says which one it is", () => {
  const { record, packages } = toolOf("packed");
  expect(packages).toEqual([{ name: "ms", version: "2.1.3", integrity: expect.stringMatching(/^sha512-/) }]);
  expect(record.code).toMatch(/^\/\/ bundled: ms@2\.1\.3 sha512-\S+\nvar bulkhead = /);
  expect(record).toMatchObject({ language: "javascript", description: "Packed." });
});

test("a definition keeps its id as the alias, and its comment as the description", () => {
  const { record } = toolOf("workflow_my_tool");
  expect(record).toMatchObject({ alias: "workflow-my-tool", description: "Summarizes." });
  expect(record).not.toHaveProperty("approval");
  expect(faultsOf("no-definition")).toEqual([at("export.missing", null, null, null)]);
});

test("functions with schemas, tools and records of tools are tools, which ask unless they say otherwise", () => {
  expect(toolOf("fibonacci").record).toMatchObject({
    approval: "ask",
    description: "Calculates the nth number.",
    parameters: {
      properties: { n: { type: "integer", minimum: 0, description: "Place" } },
      required: ["n"],
    },
  });
  expect(toolOf("calculate_factorial").record).toMatchObject({
    alias: "calculateFactorial",
    approval: "preApproved",
    applyDefaults: true,
  });
  expect(toolOf("asks").record).toMatchObject({ approvalCode: expect.stringContaining("n > 3") });
  expect(toolOf("parse").from).toEqual({ file: "calc/tools.ts", export: 'tools["parse"]' });
  expect(toolOf("old").record.parameters).toMatchObject({
    properties: { q: { type: "string" } },
    additionalProperties: false,
  });
});

test("schemas that no code uses are not part of the code", () => {
  expect(toolOf("fibonacci").record.code?.length).toBeLessThan(2_000);
  expect(toolOf("calculate_factorial").packages).toEqual([]);
  expect(toolOf("parse").packages).toMatchObject([{ name: "zod" }]);
});

test("what is no tool is told with its file, its export and its place, and stops no other", () => {
  expect(faultsOf("calc")).toEqual([
    at("schema.missing", "helper", 22),
    { ...at("export.not_a_tool", "VERSION", 23), severity: "warning" },
    at("schema.invalid", "changed", 24),
    at("approval.invalid", "unsure", 25),
    at("name.invalid", "default", 26),
  ]);
  expect(faultsOf("broken")).toEqual([at("import.failed", null, 1, 18)]);
  expect(faultsOf("missing")).toEqual([at("import.failed", null, 1, 15)]);
  const [threw] = loaded.faults.filter(({ file }) => file === "throws/tools.ts");
  expect(threw).toMatchObject({
    code: "module.threw",
    line: 1,
    message: "could not be evaluated: boom",
    frame: { from: 1 },
  });
  expect(threw?.stack).toMatch(
    /^TypeError: boom\n +at deep \(throws\/tools\.ts:1:\d+\)\n +at throws\/tools\.ts:2:18$/,
  );
});

test("a toolset shows what it lists, to the agent it is for, with its approvals", () => {
  expect(toolOf("a").record).toMatchObject({ approval: "preApproved" });
  expect(toolOf("a", "helper").record).toMatchObject({
    approval: "ask",
    permissions: ["network"],
    allowedHosts: ["example.com"],
  });
  expect(
    loaded.faults.filter(({ file }) => file.startsWith("worker/")).map(({ code, line }) => [code, line]),
  ).toEqual([
    ["export.missing", null],
    ["toolset.not_there", 2],
    ["import.outside", 9],
    ["toolsets.invalid", 10],
    ["toolsets.invalid", 10],
    ["export.missing", null],
  ]);
});

test("a module takes no file along that lies outside, and nothing of Node's", () => {
  expect(loaded.faults.find(({ file }) => file === "outside/tools.ts")).toMatchObject({
    code: "import.outside",
    message: expect.stringMatching(/^imports \.\.\/\.\.\/secret\.json, which lies outside of the folder/),
  });
  expect(toolOf("fine").from.export).toBe("fine");
  expect(loaded.faults.find(({ code }) => code === "import.built_in")).toMatchObject({
    export: "reads",
    message: "needs fs of Node, which tools don't have (tools.ts → reader.ts → fs)",
  });
});

test("places of a bundle's code lead to where it was written", () => {
  const { record, placeOf } = toolOf("parse");
  const lines = (record.code ?? "").split("\n");
  const line = lines.findIndex((text) => text.includes("fibonacciSchema.parse("));
  const column = (lines[line] ?? "").indexOf("fibonacciSchema.parse(");
  const written = (file: string, words: string) => {
    const before = FILES[file]?.split(words)[0]?.split("\n") ?? [];
    return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  };
  expect(placeOf(line + 1, column + 1)).toEqual(written("calc/tools.ts", "fibonacciSchema.parse("));
  expect(placeOf(1, 1)).toBeNull();
});

test("the order is that of names, and time is told", () => {
  expect(loaded.tools.map(({ from }) => from.file)).toEqual(
    loaded.tools.map(({ from }) => from.file).toSorted(),
  );
  expect(loaded.tools.every(({ durationMs }) => durationMs > 0)).toBe(true);
  expect(loaded.files).toContain(join(root, "calc/shared.ts"));
});

test("a module that has not changed is neither bundled nor evaluated again", async () => {
  const cacheFolder = join(dirname(root), "cache");
  const folder = join(root, "calc");
  for (const file of ["tools.ts", "shared.ts"]) utimesSync(join(folder, file), 1, 1);
  const load = () => loadFolder(folder, { within: root, cacheFolder });
  const first = await load();
  const again = await load();
  const plain = ({ tools, faults }: LoadedFolder) => ({
    faults,
    tools: tools.map(({ record, from, packages, placeOf }) => [record, from, packages, placeOf(9, 1)]),
  });
  expect(again.durations).toMatchObject({ bundleMs: 0, describeMs: 0 });
  expect(plain(again)).toEqual(plain(first));
  writeFileSync(join(folder, "shared.ts"), "export const shared: number = 3;");
  const changed = await load();
  expect(changed.tools.find(({ record }) => record.name === "calculate_factorial")?.record.code).toMatch(
    /shared\S* = 3/,
  );
});

test.runIf(isNightly)(
  "a module is made anew where a file or a package came that its imports mean now",
  async () => {
    const folder = join(root, "shadowed");
    const write = (file: string, text: string): void => {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    };
    const age = (): void => {
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
      for (const name of ["", ...names]) utimesSync(join(folder, name), 1, 1);
    };
    write("tools.ts", `import { one } from "./parts";\nexport const a = { execute: () => one };`);
    write("parts/index.js", `export const one = "first";`);
    write("sets/bulkhead.yaml", "toolsets: { far: { package: far, import: tools } }");
    write("node_modules/far/index.js", `export const tools = { b: { execute: () => "first" } };`);
    write("deep/tools.ts", `import { one } from "near/part";\nexport const c = { execute: () => one };`);
    write("node_modules/near/part/index.js", `export const one = "first";`);
    age();
    const cacheFolder = join(dirname(root), "shadows");
    const codes = async (): Promise<string[]> =>
      (await loadFolder(folder, { cacheFolder })).tools.map(({ record }) => record.code ?? "");
    const all = (said: string) => Array.from("abc", () => expect.stringContaining(`"${said}"`));
    expect(await codes()).toEqual(all("first"));
    expect((await loadFolder(folder, { cacheFolder })).durations.bundleMs).toBe(0);
    write("parts/index.ts", `export const one = "second";`);
    write("sets/node_modules/far/index.js", `export const tools = { b: { execute: () => "second" } };`);
    write("node_modules/near/part.js", `export const one = "second";`);
    expect(await codes()).toEqual(all("second"));
  },
);

test("a cache that can't be used is told, and the folder is loaded without it", async () => {
  const cacheFolder = join(dirname(root), "open");
  mkdirSync(cacheFolder);
  chmodSync(cacheFolder, 0o777);
  const { tools, faults } = await loadFolder(join(root, "my-tool"), { cacheFolder });
  expect(tools).toHaveLength(1);
  expect(faults).toMatchObject([{ severity: "warning", code: "cache.unusable", file: "" }]);
});

test("a folder that can't be read is an error that says so", async () => {
  await expect(loadFolder(join(root, "none"))).rejects.toThrow(UnreadableFolder);
  await expect(loadFolder(join(root, "calc/tools.ts"))).rejects.toThrow("tools.ts is no folder");
});
