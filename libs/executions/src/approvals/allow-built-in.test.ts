import type { Approval } from "@bulkhead/core";
import { expect, test } from "vitest";
import { builtInOf, newRule, requireSameService } from "./allow-built-in.ts";

const CALL = { toolId: null, toolName: "exec", arguments: { command: "git push" } } as unknown as Approval;

test("of a command exactly the line is remembered, with its folder", () => {
  const exact = { pattern: "git push", approval: "preApproved", exact: true };
  expect(newRule(CALL, null)).toEqual({ command: exact });
  const inFolder = {
    ...CALL,
    toolName: "process",
    arguments: { action: "start", command: "git push", cwd: "a" },
  };
  expect(newRule(inFolder, null)).toEqual({ command: { ...exact, cwd: "a" } });
});

test("no pattern makes more of a command, and one that is too long is not remembered", () => {
  const wider = { argument: "/command", pattern: "git*" };
  expect(() => newRule(CALL, wider)).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ path: "pattern" })] }),
  );
  const long = { ...CALL, arguments: { command: "x".repeat(2_049) } };
  expect(() => newRule(long, null)).toThrow(expect.objectContaining({ code: "request.invalid" }));
});

test("a command that is given an input says not all by its line, so none of it is remembered", () => {
  const fed = { ...CALL, toolName: "process", arguments: { action: "start", command: "sh", stdin: "ls" } };
  expect(() => newRule(fed, null)).toThrow(expect.objectContaining({ code: "request.invalid" }));
});

test("of another tool the calls that match are let run", () => {
  const fetch = { ...CALL, toolName: "web_fetch", arguments: { url: "x" } };
  expect(newRule(fetch, { argument: "/url", pattern: "x*" })).toEqual({
    rule: { tool: "web_fetch", argument: "/url", pattern: "x*", decision: "preApproved" },
  });
  expect(newRule(fetch, null)).toMatchObject({ rule: { argument: null, pattern: "*" } });
});

test("a stored tool that has a built-in one's name is none of the platform's", () => {
  expect(builtInOf(CALL)?.name).toBe("exec");
  expect(builtInOf({ ...CALL, toolId: "tool_1" })).toBeNull();
  expect(builtInOf({ ...CALL, toolName: "gone" })).toBeNull();
});

test("a call keeps the service that it was made with, whatever else a person changes", () => {
  const channel = { serviceArgument: "channel" };
  const asked = { ...CALL, toolName: "message", arguments: { channel: "team", text: "a" } };
  expect(() => requireSameService(channel, asked, { channel: "team", text: "b" })).not.toThrow();
  expect(() => requireSameService({}, asked, { channel: "all" })).not.toThrow();
  expect(() => requireSameService(channel, asked, { channel: "all", text: "a" })).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ path: "arguments.channel" })] }),
  );
});
