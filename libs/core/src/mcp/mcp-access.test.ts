import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { mcpAccessOf, type McpAccess, type McpAsker, type McpGrant } from "./mcp-access.ts";
import { MCP_BACKOFF_MS_MAX, mcpBackoffMs } from "./mcp-server.ts";

const grant = (said: Partial<McpGrant> = {}): McpGrant => ({
  scope: "agent",
  id: "alpha",
  toolAllow: null,
  toolDeny: [],
  enabled: true,
  ...said,
});
const allowed = (access: McpAccess, asker: McpAsker, tool = "read"): boolean =>
  mcpAccessOf(access, asker, { server: "files", tool }).allowed;
const by = (agentIds: string[] | null, ...grants: McpGrant[]): McpAccess => ({ files: { agentIds, grants } });
const ALPHA = { agentId: "alpha", userId: "ann" };

describe("a server's tool", () => {
  it.each<[string, McpAccess, McpAsker, boolean]>([
    ["of which nobody says anything is everyone's", {}, ALPHA, true],
    ["is not looked up among what every object has", by(null), { agentId: "constructor" }, true],
    ["is a listed agent's", by(["alpha"]), ALPHA, true],
    ["is no other agent's", by(["alpha"]), { agentId: "beta" }, false],
    ["is not there for who names no agent, where agents are listed", by(["alpha"]), { userId: "ann" }, false],
    ["is given by an agent's grant", by([], grant()), ALPHA, true],
    ["is given by a user's grant", by([], grant({ scope: "user", id: "ann" })), ALPHA, true],
    ["is not given by another's grant", by([], grant({ id: "beta" })), ALPHA, false],
    ["is kept by a list that names it", by([], grant({ toolAllow: ["read"] })), ALPHA, true],
    [
      "is not kept by one that doesn't, even of an open server",
      by(null, grant({ toolAllow: ["x"] })),
      ALPHA,
      false,
    ],
    [
      "is denied whatever gives it",
      by(null, grant({ toolAllow: ["read"], toolDeny: ["read"] })),
      ALPHA,
      false,
    ],
    [
      "goes with the whole server",
      by(["alpha"], grant(), grant({ scope: "user", id: "ann", enabled: false })),
      ALPHA,
      false,
    ],
    [
      "is given by either of two",
      by(null, grant({ toolAllow: ["x"] }), grant({ scope: "user", id: "ann" })),
      ALPHA,
      true,
    ],
  ])("%s", (_what, access, asker, expected) => {
    expect(allowed(access, asker)).toBe(expected);
  });

  it("that a grant names has a person's word", () => {
    const access = by([], grant({ toolAllow: ["read"] }));
    expect(mcpAccessOf(access, ALPHA, { server: "files", tool: "read" })).toEqual({
      allowed: true,
      named: true,
    });
    expect(mcpAccessOf(by([], grant()), ALPHA, { server: "files", tool: "read" }).named).toBe(false);
    const users = by([], grant({ scope: "user", id: "ann", toolAllow: ["read"] }));
    expect(mcpAccessOf(users, ALPHA, { server: "files", tool: "read" })).toEqual({
      allowed: true,
      named: false,
    });
  });
});

const tools = fc.subarray(["read", "write", "list"]);
const grants = fc.array(
  fc.record({
    scope: fc.constantFrom("agent" as const, "user" as const),
    id: fc.constantFrom("alpha", "ann", "other"),
    toolAllow: fc.option(tools),
    toolDeny: tools,
    enabled: fc.boolean(),
  }),
  { maxLength: 6 },
);
const agentIds = fc.option(fc.subarray(["alpha", "other"]));

test("the order of grants never matters, and one that denies beats them all", () => {
  fc.assert(
    fc.property(agentIds, grants, tools, (ids, some, denied) => {
      const before = (tool: string) => allowed(by(ids, ...some), ALPHA, tool);
      for (const tool of ["read", "write", "list"]) {
        expect(allowed(by(ids, ...some.toReversed()), ALPHA, tool)).toBe(before(tool));
        const after = allowed(by(ids, ...some, grant({ toolDeny: denied })), ALPHA, tool);
        if (denied.includes(tool)) expect(after).toBe(false);
        expect(allowed(by(ids, ...some, grant({ enabled: false })), ALPHA, tool)).toBe(false);
      }
    }),
  );
});

test("pauses double from two seconds to a minute, ten tries in all", () => {
  const pauses = Array.from({ length: 10 }, (_, n) => mcpBackoffMs(n + 1));
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, ...Array(4).fill(MCP_BACKOFF_MS_MAX), null]);
});
