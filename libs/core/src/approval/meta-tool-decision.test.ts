import { expect, test } from "vitest";
import { decideMetaTool, mayAsk } from "./approval-decision.ts";
import {
  APPROVAL_SETTINGS_DEFAULT,
  type ApprovalDecision,
  type ApprovalRule,
  type ApprovalSettings,
} from "./approval.ts";
import type { ActingMetaTool } from "../tool/meta-tools.ts";

const rule = (tool: string, decision: ApprovalDecision, pattern = "*", argument: string | null = null) =>
  ({ tool, argument, pattern, decision }) satisfies ApprovalRule;

const CHANGING = ["create_tool", "delete_custom_tool", "update_tool", "toggle_custom_tool"] as const;
const ALL: readonly ActingMetaTool[] = [...CHANGING, "run_code"];

const decide = (
  name: ActingMetaTool,
  settings: Partial<ApprovalSettings>,
  args: Record<string, string> = {},
) => decideMetaTool({ ...APPROVAL_SETTINGS_DEFAULT, ...settings }, name, args);

test.each(CHANGING)("metaTools blocks %s, and its own entry comes before it", (name) => {
  expect(decide(name, { metaTools: "blocked" })).toBe("blocked");
  expect(decide(name, { metaTools: "blocked", tools: { [name]: "preApproved" } })).toBe("preApproved");
  expect(decide(name, { metaTools: "blocked", rules: [rule(name, "preApproved")] })).toBe("preApproved");
  expect(decide(name, { default: "blocked", metaTools: "preApproved" })).toBe("preApproved");
});

test.each(ALL)("%s is blocked by name and by a rule, whatever else says", (name) => {
  const loose = { default: "preApproved", metaTools: "preApproved" } as const;
  expect(decide(name, { ...loose, tools: { [name]: "blocked" } })).toBe("blocked");
  const rules = [rule(name, "preApproved"), rule(name, "blocked", "*evil*", "/code")];
  expect(decide(name, { ...loose, rules }, { code: "evil()" })).toBe("blocked");
  expect(decide(name, { ...loose, rules }, { code: "good()" })).toBe("preApproved");
});

test("a person is asked about creation and deletion alone, whatever asks", () => {
  for (const settings of [{}, { metaTools: "ask" }] as const)
    expect(ALL.filter((name) => decide(name, settings) === "ask")).toEqual([
      "create_tool",
      "delete_custom_tool",
    ]);
  expect(decide("create_tool", { metaTools: "preApproved", tools: { create_tool: "ask" } })).toBe("ask");
  // A word that was stored when it was not refused yet neither opens what is blocked nor blocks what is open.
  const asking = { tools: { update_tool: "ask" } } as const;
  expect(decide("update_tool", { ...asking, metaTools: "blocked" })).toBe("blocked");
  expect(decide("update_tool", { ...asking, metaTools: "ask" })).toBe("preApproved");
});

test("code that is run goes by the default, as calls of tools do", () => {
  expect(decide("run_code", { metaTools: "blocked" })).toBe("preApproved");
  expect(decide("run_code", { default: "blocked" })).toBe("blocked");
  expect(decide("run_code", { default: "blocked", tools: { run_code: "preApproved" } })).toBe("preApproved");
});

const TOOL = {
  id: "tool_1",
  name: "git",
  approval: null,
  requiresApproval: false,
  createdBy: "user",
} as const;

test.each<
  [string, Partial<ApprovalSettings>, Partial<{ approval: ApprovalDecision; createdBy: "llm" }>, boolean]
>([
  ["the default asks", {}, {}, true],
  ["the default approves", { default: "preApproved" }, {}, false],
  ["the default blocks", { default: "blocked" }, {}, false],
  ["the setting for the tool approves", { tools: { git: "preApproved" } }, {}, false],
  ["the setting by id asks", { default: "preApproved", tools: { tool_1: "ask" } }, {}, true],
  ["the tool approves itself", {}, { approval: "preApproved" }, false],
  ["a model's tool approves itself", {}, { approval: "preApproved", createdBy: "llm" }, true],
  ["the tenant blocks it", { tools: { git: "blocked" } }, { approval: "ask" }, false],
  ["a rule blocks all its calls", { rules: [rule("git", "blocked")] }, { approval: "ask" }, false],
  ["a rule asks about some", { default: "preApproved", rules: [rule("git", "ask", "x*")] }, {}, true],
  ["a rule approves some", { rules: [rule("git", "preApproved", "x*")] }, {}, true],
  ["a rule approves all", { rules: [rule("git", "preApproved")] }, {}, false],
  ["a rule before that asks", { rules: [rule("git", "ask", "x*"), rule("git", "preApproved")] }, {}, true],
  ["a rule behind it is not heard", { rules: [rule("git", "preApproved"), rule("git", "ask")] }, {}, false],
])("may ask before the arguments are known, where %s", (_name, settings, tool, expected) => {
  expect(mayAsk({ ...APPROVAL_SETTINGS_DEFAULT, ...settings }, { ...TOOL, ...tool })).toBe(expected);
});
