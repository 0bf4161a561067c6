import { expect, test } from "vitest";
import {
  APPROVAL_SETTINGS_DEFAULT,
  type ApprovalDecision,
  type ApprovalSettings,
  type CallDecision,
} from "./approval.ts";
import {
  decideApproval,
  decideNestedApproval,
  mayAsk,
  mayAskBuiltIn,
  standingFor,
} from "./approval-decision.ts";
import { ARGUMENT_TEXT_CHARS_MAX } from "./argument-pattern.ts";

const ID = "tool_00000000000000aa";
const rule = (pattern: string, decision: ApprovalDecision, tool = "git") => ({
  tool,
  argument: "/command",
  pattern,
  decision,
});

interface Case {
  settings?: Partial<ApprovalSettings>;
  approval?: ApprovalDecision;
  requiresApproval?: boolean;
  byModel?: boolean;
  command?: string;
}

test.each<[string, Case, ApprovalDecision]>([
  ["nothing says anything: ask", {}, "ask"],
  ["the tenant's default", { settings: { default: "preApproved" } }, "preApproved"],
  ["a default that blocks", { settings: { default: "blocked" } }, "blocked"],
  [
    "the setting for the tool over the default",
    { settings: { default: "blocked", tools: { git: "ask" } } },
    "ask",
  ],
  [
    "the setting by id over that by name",
    { settings: { tools: { git: "ask", [ID]: "preApproved" } } },
    "preApproved",
  ],
  ["another tool's setting", { settings: { tools: { other: "preApproved" } } }, "ask"],
  [
    "the tool's own word over the setting",
    { approval: "ask", settings: { tools: { git: "preApproved" } } },
    "ask",
  ],
  [
    "the tool's own word over the default",
    { approval: "preApproved", settings: { default: "blocked" } },
    "preApproved",
  ],
  ["the tool blocks itself", { approval: "blocked", settings: { tools: { git: "preApproved" } } }, "blocked"],
  [
    "requiresApproval means ask",
    { requiresApproval: true, settings: { tools: { git: "preApproved" } } },
    "ask",
  ],
  ["approval over requiresApproval", { requiresApproval: true, approval: "preApproved" }, "preApproved"],
  [
    "the tenant's blocked over all",
    { approval: "preApproved", settings: { tools: { git: "blocked" } } },
    "blocked",
  ],
  [
    "blocked by id over preApproved by name",
    { settings: { tools: { git: "preApproved", [ID]: "blocked" } } },
    "blocked",
  ],
  [
    "a model's tool is asked about",
    { byModel: true, requiresApproval: true, settings: { default: "preApproved" } },
    "ask",
  ],
  ["whatever it says of itself", { byModel: true, approval: "preApproved" }, "ask"],
  ["whatever the tenant says of it", { byModel: true, settings: { tools: { git: "preApproved" } } }, "ask"],
  ["but it may be blocked", { byModel: true, approval: "blocked" }, "blocked"],
  ["and by the tenant", { byModel: true, settings: { tools: { git: "blocked" } } }, "blocked"],
  ["a rule that matches", { settings: { rules: [rule("git *", "preApproved")] } }, "preApproved"],
  ["a rule that does not", { settings: { rules: [rule("rm *", "preApproved")] } }, "ask"],
  ["a rule of another tool", { settings: { rules: [rule("*", "preApproved", "other")] } }, "ask"],
  ["a rule by id", { settings: { rules: [rule("*", "preApproved", ID)] } }, "preApproved"],
  [
    "a rule over the setting for the tool",
    { settings: { tools: { git: "preApproved" }, rules: [rule("git *", "ask")] } },
    "ask",
  ],
  [
    "the first rule",
    { settings: { rules: [rule("git *", "preApproved"), rule("*", "ask")] } },
    "preApproved",
  ],
  [
    "a rule that blocks wherever it stands",
    { settings: { rules: [rule("git *", "preApproved"), rule("* push*", "blocked")] }, command: "git push" },
    "blocked",
  ],
  [
    "a rule that blocks over the tool's own word",
    { approval: "preApproved", settings: { rules: [rule("* push*", "blocked")] }, command: "git push" },
    "blocked",
  ],
  [
    "the tool's own word over other rules",
    { approval: "ask", settings: { rules: [rule("*", "preApproved")] } },
    "ask",
  ],
  [
    "arguments too long to look at are not approved",
    { settings: { rules: [rule("*", "preApproved")] }, command: "x".repeat(ARGUMENT_TEXT_CHARS_MAX + 1) },
    "ask",
  ],
  [
    "and are blocked where any are",
    {
      settings: { default: "preApproved", rules: [rule("rm *", "blocked")] },
      command: "x".repeat(ARGUMENT_TEXT_CHARS_MAX + 1),
    },
    "blocked",
  ],
])("%s", (_name, { settings, approval, requiresApproval = false, byModel = false, command }, decision) => {
  const tool = {
    id: ID,
    name: "git",
    approval: approval ?? null,
    requiresApproval,
    createdBy: byModel ? ("llm" as const) : ("user" as const),
  };
  const said = decideApproval({ ...APPROVAL_SETTINGS_DEFAULT, ...settings }, tool, {
    command: command ?? "git status",
  });
  expect(said).toBe(decision);
});

test("a tool named as a property of every object has no setting", () => {
  const tool = {
    id: ID,
    name: "constructor",
    approval: null,
    requiresApproval: false,
    createdBy: "user" as const,
  };
  expect(decideApproval({ ...APPROVAL_SETTINGS_DEFAULT, tools: {} }, tool, {})).toBe("ask");
});

test("a standing approval is for all calls, or for those that match, and for none that is too long to look at", () => {
  const pattern = { argument: "/command", pattern: "git *" };
  const said = (command: string) => standingFor([{ pattern }], { command }) !== undefined;
  expect(said("git push")).toBe(true);
  expect(said("rm -rf")).toBe(false);
  expect(said(`git ${"x".repeat(ARGUMENT_TEXT_CHARS_MAX)}`)).toBe(false);
  expect(
    standingFor(
      [
        { pattern: null, id: 1 },
        { pattern: null, id: 2 },
      ],
      {},
    )?.id,
  ).toBe(1);
  expect(standingFor([], {})).toBeUndefined();
});

test.each<[string, Case, CallDecision]>([
  ["where nothing else says anything", {}, "toolDecides"],
  ["in place of the tenant's default", { settings: { default: "blocked" } }, "toolDecides"],
  ["over what the tenant lets run", { settings: { tools: { git: "preApproved" } } }, "toolDecides"],
  ["below the tenant's ask", { settings: { tools: { git: "ask" } } }, "ask"],
  ["below the tenant's ask by arguments", { settings: { rules: [rule("*", "ask")] } }, "ask"],
  ["below the tenant's blocked", { settings: { tools: { git: "blocked" } } }, "blocked"],
  ["below the tool's approval", { approval: "preApproved" }, "preApproved"],
  ["below requiresApproval", { requiresApproval: true }, "ask"],
  ["never in a model's tool", { byModel: true }, "ask"],
])("a tool's approvalCode decides %s", (_what, said, decision) => {
  const settings: ApprovalSettings = { ...APPROVAL_SETTINGS_DEFAULT, ...said.settings };
  const tool = {
    id: ID,
    name: "git",
    approval: said.approval ?? null,
    requiresApproval: said.requiresApproval ?? false,
    createdBy: said.byModel ? "llm" : "user",
    approvalCode: "return true;",
  } as const;
  expect(decideApproval(settings, tool, { command: "push" })).toBe(decision);
  expect(decideNestedApproval(settings, tool, { command: "push" })).toBe(decision);
  expect(mayAsk(settings, tool)).toBe(decision === "toolDecides" || decision === "ask");
});

test.each<[string, Partial<ApprovalSettings>, "name" | "policy", boolean]>([
  ["one that needs a word of it asks", {}, "name", true],
  ["one of the agent's own things doesn't", {}, "policy", false],
  ["a word lets it run", { tools: { git: "preApproved" } }, "name", false],
  ["a default was said of the tenant's tools", { default: "preApproved" }, "name", true],
  ["some arguments are let run", { rules: [rule("*", "preApproved")] }, "name", true],
  ["some arguments ask", { tools: { git: "preApproved" }, rules: [rule("push*", "ask")] }, "name", true],
  ["blocked ones ask nobody", { tools: { git: "blocked" } }, "name", false],
])("of a tool of the platform's: %s", (_what, settings, letBy, asks) => {
  const tool = { name: "git", letBy, capability: null };
  expect(mayAskBuiltIn({ ...APPROVAL_SETTINGS_DEFAULT, ...settings }, tool)).toBe(asks);
});

test.each<[string, Partial<ApprovalSettings>, "shell" | "files", boolean]>([
  ["some of its lines ask", { tools: { git: "preApproved" } }, "shell", true],
  ["blocked as a whole asks nobody", { tools: { git: "blocked" } }, "shell", false],
  ["a tool without lines has no such rules", { tools: { git: "preApproved" } }, "files", false],
])("of a tool of the platform's that runs commands: %s", (_what, said, capability, asks) => {
  const commands = [{ pattern: "rm", approval: "ask" } as const];
  const settings = { ...APPROVAL_SETTINGS_DEFAULT, ...said, commands };
  expect(mayAskBuiltIn(settings, { name: "git", letBy: "name", capability })).toBe(asks);
});
