import { describe, expect, it } from "vitest";
import { askerOf, askerOfCall, type SaidOfAsker } from "./asker.ts";
import { stepsFor } from "./decide.ts";
import { sightOf } from "./sight.ts";

describe("who asks", () => {
  const agent = { role: "agent", agentId: "alpha" } as const;
  const person = { role: "developer", agentId: null } as const;

  it("is an agent's key's own agent, whatever its context says", () => {
    expect(askerOf(agent, { agentId: "beta", provider: "a" })).toEqual({ agentId: "alpha", provider: "a" });
    expect(askerOf({ role: "agent", agentId: null }, { agentId: "beta" })).toEqual({});
  });

  it("is nobody where a person calls for themselves, and the agent that they name otherwise", () => {
    expect(askerOf(person, {})).toBeNull();
    expect(askerOf(person, { agentId: "alpha" })).toEqual({ agentId: "alpha" });
    expect(askerOf(person, { subagentDepth: 0 })).toEqual({ subagentDepth: 0 });
  });

  it("is a person with a user alone, to whom no list speaks", () => {
    expect(askerOf(person, { userId: "ann" })).toEqual({ userId: "ann", byPerson: true });
    expect(stepsFor({ forbid: ["*"] }, { userId: "ann", byPerson: true })).toEqual([]);
    expect(askerOf(person, { userId: "ann", provider: "a" })).toEqual({ userId: "ann", provider: "a" });
    expect(askerOf(agent, { userId: "ann" })).toEqual({ agentId: "alpha", userId: "ann" });
    expect(askerOfCall({ byAgent: true, context: { userId: "ann" } })).toEqual({ userId: "ann" });
  });

  it("is told by headers where the context is silent", () => {
    const asks = { provider: "a", group: "team", userId: "ann" };
    expect(askerOf({ ...person, asks }, { group: "other" })).toEqual({
      provider: "a",
      group: "other",
      userId: "ann",
    });
  });

  it("stays the same in the calls of an execution", () => {
    expect(askerOfCall({ byAgent: true, context: { callId: "c1" } as SaidOfAsker })).toEqual({});
    expect(askerOfCall({ byAgent: false, context: {} })).toBeNull();
    expect(askerOfCall({ byAgent: false, context: { agentId: "alpha" } })).toEqual({ agentId: "alpha" });
  });

  it("sees everything without a document, and as a person", () => {
    const policy = { mcpVersion: 0, mcp: {}, version: 1, document: { forbid: ["exec"] } };
    expect(sightOf(agent)).toBeNull();
    expect(sightOf({ ...person, policy })).toBeNull();
    expect(sightOf({ ...agent, policy })?.sees({ name: "exec" })).toBe(false);
  });
});
