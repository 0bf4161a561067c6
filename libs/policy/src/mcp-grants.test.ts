import type { Asker, McpAccess, McpGrant, Policy } from "@bulkhead/core";
import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { sightBy, sightOf, verdictsBy } from "./sight.ts";

const tool = (name: string, server = "files") => ({ name: `${server}_${name}`, mcp: { server, tool: name } });
const READ = tool("read");
const grant = (said: Partial<McpGrant>): McpGrant => ({
  scope: "agent",
  id: "alpha",
  toolAllow: null,
  toolDeny: [],
  enabled: true,
  ...said,
});
const policyOf = (mcp: McpAccess, document: Policy["document"] = {}): Policy => ({
  version: 0,
  document,
  mcpVersion: 1,
  mcp,
});
const sees = (policy: Policy, asker: Asker, of = READ): boolean => sightBy(policy, asker)?.sees(of) ?? true;

describe("a server's tool", () => {
  const listed = policyOf({ files: { agentIds: ["alpha"], grants: [] } });

  it("is there for whom its server and the policy give it, both", () => {
    expect(sees(listed, { agentId: "alpha" })).toBe(true);
    expect(sees(listed, { agentId: "beta" })).toBe(false);
    expect(sees(policyOf(listed.mcp, { forbid: ["group:mcp"] }), { agentId: "alpha" })).toBe(false);
    expect(sees(listed, { agentId: "beta" }, tool("read", "other"))).toBe(true);
    expect(sightBy(listed, { agentId: "beta" })?.sees({ name: "exec" })).toBe(true);
  });

  it("is a person's who names nobody, and of a user what the grants say", () => {
    const policy = policyOf(
      { files: { agentIds: [], grants: [grant({ scope: "user", id: "ann" })] } },
      { forbid: ["exec"] },
    );
    const person = { role: "developer", agentId: null, policy } as const;
    expect(sightOf(person)).toBeNull();
    expect(sightOf(person, { userId: "ann" })?.sees(READ)).toBe(true);
    expect(sightOf(person, { userId: "bob" })?.sees(READ)).toBe(false);
    // No list of the document speaks to a person.
    expect(sightOf(person, { userId: "bob" })?.sees({ name: "exec" })).toBe(true);
  });

  it("has a person's word where a grant names it, and it is not taken away", () => {
    const byName = (...grants: McpGrant[]) =>
      sightBy(policyOf({ files: { agentIds: null, grants } }), { agentId: "alpha", userId: "ann" });
    const naming = grant({ toolAllow: ["read"] });
    expect(byName(naming)?.named(READ)).toBe(true);
    expect(byName(grant({}))?.named(READ)).toBe(false);
    expect(byName(naming, grant({ scope: "user", id: "ann", toolDeny: ["read"] }))?.named(READ)).toBe(false);
    expect(byName(naming)?.named({ name: "files_read" })).toBe(false);
  });

  it("is explained by the place of the word that takes it", () => {
    const policy = policyOf({
      files: { agentIds: ["alpha"], grants: [grant({ id: "beta", toolDeny: ["read"] })] },
    });
    const verdict = (asker: Asker) => verdictsBy(policy, asker)(READ);
    expect(verdict({ agentId: "alpha" })).toEqual({ allowed: true, path: null, entry: null });
    expect(verdict({ agentId: "beta" }).path).toBe("mcp-servers.files.grants");
    expect(verdict({ agentId: "gamma" }).path).toBe("mcp-servers.files.agentIds");
  });
});

test("where no server says anything, nothing is noticed", () => {
  expect(sightBy(policyOf({}), { agentId: "alpha" })).toBeNull();
});

test("two sights with one mark see the same, and who is named nowhere is like any other", () => {
  const ids = fc.constantFrom("alpha", "beta", "ann");
  const tools = fc.option(fc.subarray(["read", "write"]), { nil: null });
  const grants = fc.array(
    fc.record({
      scope: fc.constantFrom("agent" as const, "user" as const),
      id: ids,
      toolAllow: tools,
      toolDeny: fc.subarray(["read", "write"]),
      enabled: fc.boolean(),
    }),
    { maxLength: 4 },
  );
  const agentIds = fc.option(fc.subarray(["alpha", "beta"]), { nil: null });
  const access = fc.dictionary(fc.constantFrom("files", "web"), fc.record({ agentIds, grants }));
  const asker = fc.record({ agentId: ids, userId: ids }, { requiredKeys: [] });
  fc.assert(
    fc.property(access, asker, asker, (mcp, one, other) => {
      const [a, b] = [one, other].map((who) => sightBy(policyOf(mcp), who));
      if (a?.mark !== b?.mark) return;
      for (const offer of [READ, tool("write"), tool("read", "web")]) {
        expect(a?.sees(offer)).toBe(b?.sees(offer));
        expect(a?.named(offer)).toBe(b?.named(offer));
      }
    }),
  );
  const policy = policyOf({ files: { agentIds: ["alpha"], grants: [grant({ id: "beta" })] } });
  const marks = ["x", "y", undefined].map((id) => sightBy(policy, id ? { agentId: id } : {})?.mark);
  expect(new Set(marks).size).toBe(1);
  expect(sightBy(policy, { agentId: "alpha" })?.mark).not.toBe(marks[0]);
});
