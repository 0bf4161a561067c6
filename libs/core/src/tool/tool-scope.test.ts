import { describe, expect, test } from "vitest";
import { lookupKey, lookupTags, nameTag, scopeOf, scopeOfAgent } from "./tool-scope.ts";

const key = (role: "owner" | "developer" | "agent" | "viewer", agentId: string | null = null) => ({
  role,
  agentId,
});

describe("what a key sees", () => {
  test.each([
    ["an agent's key, of its own agent and its tenant", key("agent", "one"), undefined, "one", false],
    ["an agent's key, whatever agent it says it is for", key("agent", "one"), "two", "one", false],
    ["an agent's key without an agent, whatever it says", key("agent"), "two", null, false],
    ["a person's key, of every agent, by the tenant's names", key("owner"), undefined, null, true],
    ["a person's key for an agent, by the agent's names", key("developer"), "two", "two", true],
  ])("%s", (_, principal, said, agentId, seesAll) => {
    expect(scopeOf(principal, said)).toEqual({ agentId, seesAll });
  });
});

describe("a look-up that is kept", () => {
  test("is kept apart from every other, whatever the ids of agents are", () => {
    const keys = [
      lookupKey("ten_a", scopeOfAgent(null), "x"),
      lookupKey("ten_b", scopeOfAgent(null), "x"),
      lookupKey("ten_a", { agentId: null, seesAll: true }, "x"),
      lookupKey("ten_a", scopeOfAgent("null"), "x"),
      lookupKey("ten_a", scopeOfAgent("a"), "b/x"),
      lookupKey("ten_a", scopeOfAgent("a/b"), "x"),
      lookupKey("ten_a", scopeOfAgent('a","b'), "x"),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });

  test("ends when its tool changes and, where the agent has none of that name yet, when it gets one", () => {
    const tool = { id: "tool_1", tenantId: "ten_a", name: "x", alias: null, agentId: null };
    const taken = nameTag("ten_a", "x");
    expect(lookupTags(tool, scopeOfAgent("one"))).toEqual(["tool_1", taken]);
    expect(lookupTags({ ...tool, alias: "X" }, scopeOfAgent("one"))).toContain(nameTag("ten_a", "X"));
    expect(lookupTags(tool, scopeOfAgent(null))).toEqual(["tool_1"]);
    expect(lookupTags({ ...tool, agentId: "one" }, scopeOfAgent("one"))).toEqual(["tool_1"]);
  });
});
