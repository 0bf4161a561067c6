import type { ImportAnswer } from "@bulkhead/client";
import { expect, test } from "vitest";
import {
  countsOf,
  faultOf,
  faultsOf,
  inCommand,
  inEditor,
  problemsOf,
  type Problem,
  tabOf,
} from "./problems.ts";

const told = (more: object) => [{ folder: "add", outcome: "failed", ...more }] as ImportAnswer["tools"];

test("a fault of code has its place, and no words that say the place once more", () => {
  const errors = [
    {
      path: "add/tool.js",
      message: "line 2, column 5: Unexpected token. (syntax)",
      line: 2,
      column: 5,
      rule: "syntax",
    },
  ];
  expect(problemsOf(told({ error: { code: "tool.code_invalid", message: "The code", errors } }))).toEqual([
    { path: "code", message: "Unexpected token.", severity: "error", line: 2, column: 5 },
  ]);
});

test.each([
  ["add/manifest.json: limits.wallMs", "limits.wallMs", "permissions"],
  ["add/manifest.json: parameters.properties.a b.type", "parameters.properties.a b.type", "parameters"],
  ["add/approval.js", "approvalCode", "details"],
  ["add/tool.ts", "code", "code"],
  ["add/manifest.json", "", "code"],
  ["name", "name", "details"],
])("%s is the field %j on the tab %s", (path, field, tab) => {
  const [problem] = faultsOf({ message: "no", errors: [{ path, message: "is wrong" }] });
  expect(problem?.path).toBe(field);
  expect(tabOf({ path: field })).toBe(tab);
});

test.each([
  ["echo hi\necho '{{.a}}'", "has {{.a}} where it is no argument of a command", 2, 7],
  ["echo {{.b}}", "names {{.b}}, and parameters.properties has no b", 1, 6],
  ["a\n  echo {{.x", 'has a placeholder that can\'t be read at "{{.x"; one is {{.key}}', 2, 8],
  ["rm -rf /", "is refused: rm -rf is never run", 1, 1],
])("a fault of the command %j stands where it is", (command, message, line, column) => {
  const problem: Problem = { path: "command", message, severity: "error" };
  expect(inCommand(command, problem)).toEqual({ ...problem, line, column });
  expect(inCommand(command, { ...problem, path: "env" })).toEqual({ ...problem, path: "env" });
});

test("a refusal that names no field says itself", () => {
  expect(faultsOf({ message: "Another tool has this name.", errors: [] })).toEqual([
    { path: "", message: "Another tool has this name.", severity: "error" },
  ]);
});

test("warnings stand where their words point", () => {
  const warnings = [
    "The code uses fs (line 3, column 7), which it does not declare and tools do not have: no.",
    'The tool has the permission "email", but none of its services is a channel: name one in requiredConfigServices with its kind.',
    "parameters.properties.a has a pattern that is not checked.",
    "env.MODE is too short or too common to be kept out of what the command says; it is no secret.",
  ];
  expect(problemsOf(told({ warnings }))).toEqual([
    { path: "code", message: warnings[0], severity: "warning", line: 3, column: 7 },
    { path: "requiredConfigServices", message: warnings[1], severity: "warning" },
    { path: "parameters", message: warnings[2], severity: "warning" },
    { path: "env.MODE", message: warnings[3], severity: "warning" },
  ]);
});

const PROBLEMS: readonly Problem[] = [
  { path: "limits.wallMs", message: "must be less", severity: "error" },
  { path: "code", message: "Unexpected token.", severity: "error", line: 1, column: 2 },
  { path: "code", message: "lacks network", severity: "warning" },
];

test("each tab counts its own, a field tells its own, the editor gets those with a place", () => {
  expect(countsOf(PROBLEMS)).toMatchObject({ code: 2, permissions: 1, details: 0 });
  expect([
    faultOf(PROBLEMS, "limits"),
    faultOf(PROBLEMS, "limits.wallMs"),
    faultOf(PROBLEMS, "name"),
  ]).toEqual(["wallMs: must be less", "must be less", undefined]);
  expect(inEditor(PROBLEMS, "code")).toEqual([
    { line: 1, column: 2, message: "Unexpected token.", severity: "error" },
  ]);
});
