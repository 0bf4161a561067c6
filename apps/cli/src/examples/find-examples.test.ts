import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoadedTool } from "../folders.ts";
import { findExamples } from "./find-examples.ts";

const FILES = {
  "packed/examples/first.json": "{}",
  "alone/examples/one.json": `{ "arguments": { "n": 1 }, "result": 2 }`,
  "alone/examples/two.json": "{ no",
  "alone/examples/notes.txt": "no example",
  "alone/examples/.hidden.json": "{}",
  "many/examples/adder.json": "{}",
  "many/examples/adder/zero.json": `{ "argument": {} }`,
  "many/examples/send-mail/one.json": "{}",
  "many/examples/nobody.json": "{}",
  "secret/one.json": "{}",
};

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "examples-")));
  for (const [file, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  mkdirSync(join(root, "linked"));
  symlinkSync(join(root, "secret"), join(root, "linked", "examples"));
  symlinkSync(join(root, "secret", "one.json"), join(root, "alone", "examples", "three.json"));
});
afterAll(() => rmSync(root, { recursive: true }));

const tool = (file: string, record: object): LoadedTool =>
  ({ record: { code: "", ...record }, from: { file, export: null } }) as unknown as LoadedTool;

const tools = [
  tool("packed/tool.js", {
    name: "packed",
    metadata: { package: { examples: { "first.json": { result: 1 } } } },
  }),
  tool("alone/tool.ts", { name: "alone" }),
  tool("many/tools.ts", { name: "adder" }),
  tool("many/tools.ts", { name: "send_mail", alias: "send-mail" }),
  tool("many/tools.ts", { name: "silent" }),
  tool("linked/tool.ts", { name: "linked" }),
];

test("each tool has the files that are its own, and a fault in one is told with its field", async () => {
  const { of, problems, watched } = await findExamples(root, tools);
  const shown = tools.map((one) =>
    (of.get(one) ?? []).map(({ file, example, faults }) => [file, example ?? faults]),
  );
  expect(shown).toEqual([
    [["packed/examples/first.json", { arguments: {}, result: 1 }]],
    [
      ["alone/examples/one.json", { arguments: { n: 1 }, result: 2 }],
      ["alone/examples/three.json", [expect.stringMatching(/^is a symbolic link/)]],
      ["alone/examples/two.json", [expect.stringMatching(/^is no JSON: /)]],
    ],
    [
      ["many/examples/adder/zero.json", [expect.stringMatching(/^argument: /)]],
      ["many/examples/adder.json", { arguments: {} }],
    ],
    [["many/examples/send-mail/one.json", { arguments: {} }]],
    [],
    [],
  ]);
  expect(problems).toEqual(["many/examples/nobody.json belongs to no tool: its name must be a tool's"]);
  expect(watched).toContain(join(root, "packed/examples/first.json"));
  expect(watched).toContain(join(root, "many/examples/send-mail"));
});
