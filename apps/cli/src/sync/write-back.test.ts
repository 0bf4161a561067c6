import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolFolder } from "@bulkhead/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeBack } from "./write-back.ts";

const sent = (files: object = {}, manifest: object = {}): ToolFolder => ({
  "manifest.json": { name: "greet", description: "d", ...manifest },
  "tool.js": "return 1;",
  ...files,
});

let home: string;
let root: string;
beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "bulkhead-pull-")));
  root = join(home, "tools");
  await mkdir(root);
});
afterEach(() => rm(home, { recursive: true }));

const write = (files: ToolFolder, more: { folder?: string; replaced?: string | null; owner?: string } = {}) =>
  writeBack({ root, folder: "greet", replaced: null, files, owner: undefined, ...more });
const text = (...path: string[]): Promise<string> => readFile(join(root, ...path), "utf8");

test("a tool is written as an import takes it, and over it what came after", async () => {
  const beside = { "approval.js": "return args.who > 1;", "README.md": "# One" };
  const first = await write(sent({ ...beside, examples: { "a.json": { who: 1 }, "b.json": {} } }));
  expect(first).toMatchObject({ outcome: "written", file: "greet/tool.js" });
  expect(await text("greet", "examples", "a.json")).toBe('{\n  "who": 1\n}\n');
  expect(await text("greet", "approval.js")).toBe("return args.who > 1;");
  const replaced = first.outcome === "written" ? first.mine : "";
  const compact = JSON.stringify(JSON.parse(await text("greet", "manifest.json")));
  await writeFile(join(root, "greet", "manifest.json"), compact);
  const typed = { "tool.js": undefined, "tool.ts": "return 2;", examples: { "b.json": {} } };
  expect(await write(JSON.parse(JSON.stringify(sent(typed))), { replaced })).toMatchObject({
    file: "greet/tool.ts",
  });
  expect((await readdir(join(root, "greet"), { recursive: true })).toSorted()).toEqual([
    "examples",
    join("examples", "b.json"),
    "manifest.json",
    "tool.ts",
  ]);
  // What says the same stays as its owner has written it.
  expect(await text("greet", "manifest.json")).toBe(compact);
});

test("a tool with a command is its manifest, which takes the place of code and gives it back", async () => {
  const command = { command: "echo {{.who}}", env: { KEY: null } };
  const first = await write({ "manifest.json": { name: "greet", description: "d", ...command } });
  expect(first).toMatchObject({ outcome: "written", file: "greet/manifest.json" });
  expect(await readdir(join(root, "greet"))).toEqual(["manifest.json"]);
  expect(JSON.parse(await text("greet", "manifest.json"))).toMatchObject(command);
  const back = await write(sent(), { replaced: first.outcome === "written" ? first.mine : "" });
  expect(back).toMatchObject({ file: "greet/tool.js" });
  const again = { "manifest.json": { name: "greet", description: "d", ...command } };
  await write(again, { replaced: back.outcome === "written" ? back.mine : "" });
  expect(await readdir(join(root, "greet"))).toEqual(["manifest.json"]);
});

test("whose tool it is stands in the manifest only where the folder's reader does not say it", async () => {
  await write(sent({}, { agentId: "support" }), { owner: "support" });
  await write(sent({}, { agentId: "support" }), { folder: "greet@tool_1" });
  expect(JSON.parse(await text("greet", "manifest.json"))).not.toHaveProperty("agentId");
  expect(JSON.parse(await text("greet@tool_1", "manifest.json"))).toHaveProperty("agentId", "support");
});

test.each<[string, ToolFolder]>([
  ["a file beside it", sent({ "../../evil.js": "x" })],
  ["an example outside", sent({ examples: { "../../evil.json": {} } })],
  ["an example of no name", sent({ examples: { "..": {} } })],
  ["a README without end", sent({ "README.md": "x".repeat(70_000) })],
  ["no code", sent({ "tool.js": undefined })],
])("a server that sends %s gets nothing written", async (_what, files) => {
  expect(await write(files)).toMatchObject({ outcome: "left", why: expect.stringContaining("is not valid") });
  expect([await readdir(root), await readdir(home)]).toEqual([[], ["tools"]]);
});

test.each(["../evil", "greet@../../evil", "a/evil", ".git", ".", ""])(
  "a server that calls a tool %j has no such folder made",
  async (folder) => {
    await mkdir(join(root, "a"));
    expect(await write(sent(), { folder })).toMatchObject({ outcome: "left" });
    expect([await readdir(root, { recursive: true }), await readdir(home)]).toEqual([["a"], ["tools"]]);
  },
);

test("a tool outside of the folder is not written over, whatever the state says of where it is", async () => {
  const first = await writeBack({
    root: home,
    folder: "other",
    replaced: null,
    files: sent(),
    owner: undefined,
  });
  const replaced = first.outcome === "written" ? first.mine : "";
  const next = sent({ "tool.js": "return 'theirs';" });
  expect(await write(next, { folder: "../other", replaced })).toMatchObject({ outcome: "left" });
  expect(await readFile(join(home, "other", "tool.js"), "utf8")).toBe("return 1;");
});

test("nothing is written over what changed here, nor where something else stands", async () => {
  const first = await write(sent());
  const replaced = first.outcome === "written" ? first.mine : "";
  expect(await write(sent())).toMatchObject({ outcome: "left", why: expect.stringContaining("already") });
  await writeFile(join(root, "greet", "tool.js"), "return 'mine';");
  expect(await write(sent({ "tool.js": "return 'theirs';" }), { replaced })).toMatchObject({
    outcome: "left",
  });
  expect(await text("greet", "tool.js")).toBe("return 'mine';");
});

test("nothing is written through a link", async () => {
  const first = await write(sent({ examples: { "a.json": 1 } }));
  const replaced = first.outcome === "written" ? first.mine : "";
  const next = sent({ "tool.js": "return 'theirs';", examples: { "a.json": 2 } });
  const outside = join(home, "outside");
  await mkdir(outside);
  await rm(join(root, "greet", "examples"), { recursive: true });
  await symlink(outside, join(root, "greet", "examples"));
  expect(await write(next, { replaced })).toMatchObject({ outcome: "left" });
  await symlink(outside, join(root, "linked"));
  expect(await write(next, { folder: "linked", replaced })).toMatchObject({ outcome: "left" });
  await symlink(join(outside, "dangling"), join(root, "dangling"));
  expect(await write(next, { folder: "dangling" })).toMatchObject({ outcome: "left" });
  expect(await readdir(outside)).toEqual([]);
});
