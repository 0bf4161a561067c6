import {
  APPROVAL_SETTINGS_DEFAULT,
  RUN_LIMITS_DEFAULT,
  type ApprovalSettings,
  type ProvidedTool,
} from "@bulkhead/core";
import { expect, test } from "vitest";
import { commandOf, decideBuiltInCall, scriptOf } from "./built-in-tool.ts";

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
    {
      tenantId: "ten_a",
      role: "agent",
      approval: { ...APPROVAL_SETTINGS_DEFAULT, commands: [...RULES], ...settings },
    },
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

test("a call's script has the permissions that its arguments need, and no others", () => {
  const builtIn = { name: "canvas", needs: null, argumentNeeds: { saveAs: "filesystem" } };
  const tool = { builtIn: builtIn as unknown as ProvidedTool, name: "canvas", limits: RUN_LIMITS_DEFAULT };
  expect(scriptOf(tool, { svg: "<svg/>" }).permissions).toEqual([]);
  expect(scriptOf(tool, { svg: "<svg/>", saveAs: "a.png" }).permissions).toEqual(["filesystem"]);
  const network = { ...tool, builtIn: { ...tool.builtIn, needs: "network" } as const };
  expect(scriptOf(network, { saveAs: "a.png" }).permissions).toEqual(["network", "filesystem"]);
});
