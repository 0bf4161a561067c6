import { expect, test } from "vitest";
import type { FolderFault } from "../folders/loaded-folder.ts";
import type { SyncRow } from "./open-sync.ts";
import { countsOf, planMarkdown, planValue } from "./plan-view.ts";
import type { PushItem } from "./push-plan.ts";
import type { PushAction, Standing } from "./three-way.ts";

function item(name: string, standing: Standing, action: PushAction, more: Partial<PushItem> = {}): PushItem {
  const row: SyncRow = {
    key: name,
    name,
    agentId: undefined,
    standing,
    sides: { mine: "m", theirs: "t" },
    file: `${name}/tool.js`,
    theirs: undefined,
    foreseen: undefined,
  };
  return { row, action, changed: undefined, warnings: [], refusal: null, ...more };
}

const fault = (file: string, message: string): FolderFault => ({
  severity: "error",
  code: "manifest.invalid",
  file,
  export: null,
  line: 3,
  column: 1,
  message,
  frame: null,
  stack: null,
});

test("the plan stands as a table of what is to be done, and of what stops it", () => {
  const items = [
    item("fresh", "new here", "create"),
    item("greet", "changed here", "update", { changed: ["code", "description"] }),
    item("old", "deleted here", "delete"),
    item("same", "unchanged", "leave"),
    item("taken", "conflict", "stop"),
    item("theirs", "new there", "leave"),
  ];
  expect(planMarkdown(items, [])).toBe(
    [
      "### Tools: 1 to create, 1 to update, 1 to delete and 1 in conflict",
      "",
      "| | tool | file | |",
      "| --- | --- | --- | --- |",
      "| create | `fresh` | `fresh/tool.js` |  |",
      "| update | `greet` | `greet/tool.js` | `code, description` |",
      "| **delete** | `old` | `old/tool.js` |  |",
      "| **conflict** | `taken` | `taken/tool.js` | `both have it, and differ` |",
      "",
      "**1 changed on the server meanwhile**: a push would overwrite that, and is refused.",
    ].join("\n"),
  );
  expect(planValue(items).map(({ name, action }) => [name, action])).toEqual([
    ["fresh", "create"],
    ["greet", "update"],
    ["old", "delete"],
    ["same", "leave"],
    ["taken", "conflict"],
  ]);
});

test.each([
  "@everyone | [click](https://evil.example) | <img src=x onerror=alert(1)>",
  "`` | `rm -rf` | ```",
  "a\n| forged | row |\n\n# Heading",
  "\u001b[2J\u202eabc\\",
])("hostile words %j stay in their cell", (words) => {
  const items = [item("greet", "new here", "create", { warnings: [words] })];
  items[0]!.row.file = words;
  const text = planMarkdown(items, [fault(words, words)]);
  const outside = text.replaceAll(/`[^`\n]*`/g, "");
  expect(outside).not.toMatch(/[@<\\]|\]\(|evil|forged|Heading|rm -rf|abc/);
  const [row = ""] = text.split("\n").filter((line) => line.startsWith("| create"));
  // Four cells: the bars around and between them, and none that ends a span.
  expect(row.replaceAll("\\|", "").match(/\|/g)).toHaveLength(5);
});

test("a plan without end is cut, and says so", () => {
  const items = Array.from({ length: 400 }, (_, at) => item(`tool_${at}`, "new here", "create"));
  const text = planMarkdown(items, []);
  expect(text).toContain("… and 250 more.");
  expect(text.length).toBeLessThan(65_536);
  expect(countsOf(items)).toBe("400 to create");
  const long = items.map(({ row }) =>
    item(row.key, row.standing, "create", { warnings: ["\u202e".repeat(200)] }),
  );
  const cut = planMarkdown(
    [...long, item("taken", "conflict", "stop")],
    [fault("a".repeat(200), "b".repeat(200))],
  );
  expect(cut).toContain("… and more than a comment has room for.");
  expect(cut).toMatch(/\*\*1 changed on the server meanwhile\*\*.*$/);
  expect(cut.length).toBeLessThan(65_536);
});
