import { expect, test } from "vitest";
import { mayFollow, mayRun, type AccessToken } from "./access-token.ts";

const token: AccessToken = { id: "tok_1", operations: ["execute", "read"] };

test.each<[string, string[] | undefined, boolean]>([
  ["no tools", undefined, true],
  ["its id", ["tool_1"], true],
  ["its name", ["other", "get_issue"], true],
  ["its alias", ["getIssue"], true],
  ["others", ["tool_2", "get_issues", "Get_issue"], false],
])("of a scope with %s a tool may be run: %s", (_, tools, may) => {
  const tool = { id: "tool_1", name: "get_issue", alias: "getIssue" };
  expect(mayRun({ ...token, ...(tools && { tools }) }, tool)).toBe(may);
});

test("a tool without id and alias is found by its name alone", () => {
  expect(mayRun({ ...token, tools: ["web_fetch"] }, { name: "web_fetch" })).toBe(true);
  expect(mayRun({ ...token, tools: ["undefined"] }, { name: "web_fetch" })).toBe(false);
  expect(mayRun({ ...token, tools: ["null"] }, { name: "a", alias: null })).toBe(false);
});

test("a token follows what it has made and what it names; who has none follows all", () => {
  const theirs = { executionId: "exe_1" };
  expect(mayFollow(undefined, theirs)).toBe(true);
  expect(mayFollow(token, theirs)).toBe(false);
  expect(mayFollow(token, { ...theirs, accessTokenId: "tok_2" })).toBe(false);
  expect(mayFollow(token, { ...theirs, accessTokenId: "tok_1" })).toBe(true);
  expect(mayFollow({ ...token, executions: ["exe_1"] }, theirs)).toBe(true);
});
