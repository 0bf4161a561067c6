import { APPROVAL_SETTINGS_DEFAULT, type ApprovalSettings } from "@bulkhead/core";
import { expect, test } from "vitest";
import { commandOf, decideBuiltInCall } from "./built-in-tool.ts";

test.each([
  ["exec", { command: "ls" }, true],
  ["exec", { command: "ls", env: { PATH: "." } }, false],
  ["process", { action: "start", command: "ls", timeoutMs: 5, cwd: "a" }, true],
  ["process", { action: "start", command: "sh", stdin: "ls" }, false],
])("a call of %s with %j starts a command", (name, args, isBare) => {
  expect(commandOf(name, args)).toMatchObject({ command: args.command, isBare });
});

test.each([
  ["process", { action: "write", id: "1", text: "rm", command: "ls" }],
  ["process", { action: "list", command: "ls" }],
  ["exec", {}],
  ["web_fetch", { command: "ls" }],
])("a call of %s with %j starts none", (name, args) => expect(commandOf(name, args)).toBeNull());

const RULES = [
  { pattern: "ls", approval: "preApproved" },
  { pattern: "git push", approval: "ask" },
] as const;
const decide = (name: "exec" | "process", args: object, settings: Partial<ApprovalSettings> = {}) =>
  decideBuiltInCall(
    { role: "agent", approval: { ...APPROVAL_SETTINGS_DEFAULT, commands: [...RULES], ...settings } },
    { name, letBy: "name" },
    { ...args },
  );

test("a rule lets run the line alone: with an input, and for what starts nothing, the tool's own setting decides", async () => {
  const start = { action: "start", command: "ls" };
  expect(await decide("process", start)).toBe("preApproved");
  expect(await decide("process", { ...start, stdin: "x" })).toBe("ask");
  expect(await decide("process", { action: "write", id: "1", text: "x", command: "ls" })).toBe("ask");
  expect(await decide("exec", { command: "ls", env: { PATH: "." } })).toBe("ask");
  const open = { tools: { exec: "preApproved" } } as const;
  expect(await decide("exec", { command: "whoami" }, open)).toBe("preApproved");
  expect(await decide("exec", { command: "git push" }, open)).toBe("ask");
});
