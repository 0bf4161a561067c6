import { TOOL_ALIAS, TOOL_NAME } from "@bulkhead/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { namesWanted, takeNames } from "./bridged-names.ts";

const GITHUB = { name: "github", toolPrefix: null };
const namesOf = (tool: string, toolPrefix: string | null = null, taken = new Set<string>()) =>
  takeNames(namesWanted({ ...GITHUB, toolPrefix }, tool), taken);

test.each([
  ["read", null, { name: "mcp__github__read", alias: null }],
  ["getIssue", null, { name: "mcp__github__get_issue", alias: "mcp__github__getIssue" }],
  ["API-post-search", "", { name: "api_post_search", alias: "API-post-search" }],
  ["getIssue", "gh_", { name: "gh_get_issue", alias: "gh_getIssue" }],
  ["get", "GH-", { name: "gh_get", alias: "GH-get" }],
])("%s behind %s has its server's words as the name for models", (tool, prefix, expected) => {
  expect(namesOf(tool, prefix)).toEqual(expected);
});

test("what is too long, or no name at all, ends with a hash that stays the same", () => {
  const long = namesOf("a".repeat(100));
  expect(long?.name).toMatch(/^mcp__github__a{42}_[0-9a-f]{8}$/);
  expect(namesOf("a".repeat(100))).toEqual(long);
  expect(namesOf("查询")).toMatchObject({
    name: "mcp__github__tool",
    alias: expect.stringMatching(/_[0-9a-f]{8}$/),
  });
  expect(namesOf("a/b")).toMatchObject({
    name: "mcp__github__a_b",
    alias: expect.stringMatching(/^mcp__github__a_b_[0-9a-f]{8}$/),
  });
});

test("of two tools with one name in snake case the second one's has a hash, and a reserved name is none", () => {
  const taken = new Set<string>();
  expect(namesOf("getIssue", null, taken)?.name).toBe("mcp__github__get_issue");
  expect(namesOf("get_issue", null, taken)?.name).toMatch(/^mcp__github__get_issue_[0-9a-f]{8}$/);
  expect(namesOf("call_tool", "")?.name).toMatch(/^call_tool_[0-9a-f]{8}$/);
});

test("where all names are others' there is none", () => {
  const { names } = namesWanted(GITHUB, "read");
  expect(takeNames(namesWanted(GITHUB, "read"), new Set(names))).toBeNull();
});

test("whatever a server calls its tools, their names are names, and none is given twice", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 128 }), { maxLength: 20 }), (tools) => {
      const taken = new Set<string>();
      const given = tools.flatMap((tool) => {
        const names = namesOf(tool, null, taken);
        return names === null ? [] : [names.name, ...(names.alias === null ? [] : [names.alias])];
      });
      for (const name of given) expect(name).toMatch(TOOL_ALIAS);
      expect(new Set(given).size).toBe(given.length);
      for (const tool of tools)
        for (const name of namesWanted(GITHUB, tool).names) expect(name).toMatch(TOOL_NAME);
    }),
  );
});
