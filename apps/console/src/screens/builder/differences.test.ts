import { expect, test } from "vitest";
import { addedPermissions, clashes, differencesOf, merged } from "./differences.ts";
import { BLANK, BLANK_COMMAND, type Draft } from "./draft.ts";

const BASE: Draft = { ...BLANK, name: "add", code: "return 1;", title: "Add" };

test("what is another is told as text", () => {
  const after: Draft = { ...BASE, code: "return 2;", title: undefined, permissions: ["network"] };
  expect(differencesOf(BASE, after)).toEqual([
    { field: "title", before: "Add", after: "" },
    { field: "code", before: "return 1;", after: "return 2;" },
    { field: "permissions", before: "[]", after: '[\n  "network"\n]' },
  ]);
  expect(addedPermissions(BASE, after)).toEqual(["network"]);
});

test("values of variables are not shown, not even new ones", () => {
  const base = { ...BLANK_COMMAND, env: { KEY: null } };
  const after = { ...BLANK_COMMAND, env: { KEY: "the-new-value", MODE: null } };
  expect(differencesOf(base, after)).toEqual([
    {
      field: "env",
      before: '{\n  "KEY": "(as it is)"\n}',
      after: '{\n  "KEY": "(a new value)",\n  "MODE": "(as it is)"\n}',
    },
  ]);
});

test("two who change different things both keep theirs", () => {
  const mine = { ...BASE, code: "return 2;" };
  const theirs = { ...BASE, title: undefined, category: "math" };
  expect(merged(BASE, mine, theirs)).toEqual({ ...BLANK, name: "add", code: "return 2;", category: "math" });
  expect(clashes(BASE, mine, theirs)).toEqual([]);
});

test("of what both changed mine stands, and it is named; the same change is none", () => {
  const mine = { ...BASE, code: "return 2;", title: "Sum" };
  const theirs = { ...BASE, code: "return 3;", title: "Sum" };
  expect(merged(BASE, mine, theirs).code).toBe("return 2;");
  expect(clashes(BASE, mine, theirs)).toEqual(["code"]);
});
