import { matchExample, ToolExample } from "@bulkhead/contracts";
import { toolGlobals } from "@bulkhead/contracts/tool-globals";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadFolder } from "../folders.ts";
import { AGENTS_GUIDE } from "./agents-guide.ts";
import { EXAMPLE_TOOL } from "./example-tool.ts";
import { projectFiles } from "./project-files.ts";
import { writeNewFiles } from "./write-new-files.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bulkhead-project-"));
  await writeNewFiles(folder, new Map([...EXAMPLE_TOOL, ...projectFiles(toolGlobals())]));
});
afterAll(() => rm(folder, { recursive: true }));

test("a new folder holds one tool, and nothing that is taken for another", async () => {
  const { tools, faults } = await loadFolder(folder);
  expect(faults).toEqual([]);
  expect(tools.map(({ record }) => record.name)).toEqual(["word_count"]);
});

test("its examples come true", async () => {
  const { run } = await import(pathToFileURL(join(folder, "word_count/tool.js")).href);
  const examples = [...EXAMPLE_TOOL].filter(([path]) => path.includes("/examples/"));
  expect(examples.length).toBeGreaterThan(2);
  const judged = examples.map(async ([path, text]) => {
    const example = ToolExample.parse(JSON.parse(text));
    const end = { result: await run(example.arguments), errorCode: null };
    return [path, await matchExample(example.result, end, () => Promise.resolve([]))];
  });
  expect(await Promise.all(judged)).toEqual(examples.map(([path]) => [path, []]));
});

test("coding agents are told of functions that tools have, and of an example that is one", () => {
  const globals = toolGlobals();
  const listed = /`utils` \(([^)]*)\)/.exec(AGENTS_GUIDE)?.[1]?.match(/\w+/g) ?? [];
  const called = [...AGENTS_GUIDE.matchAll(/(?<![/"])\b(?:utils|api)\.(\w+)\b/g)].map(([, name]) => name);
  expect(listed.length + called.length).toBeGreaterThan(6);
  for (const name of [...listed, ...called]) expect(globals).toMatch(new RegExp(`^  ${name}[<(]`, "m"));
  const [, example = ""] = /```json\n(.*?)```/s.exec(AGENTS_GUIDE) ?? [];
  expect(ToolExample.safeParse(JSON.parse(example)).error).toBeUndefined();
});
