import type { TenantPrincipal, TenantRole } from "@bulkhead/core";
import { expect, test } from "vitest";
import { PRINCIPAL } from "../fixtures/sample-caller.ts";
import { isByAgent } from "./only-for-keys.ts";

const ADMINISTERS = { name: "gateway", onlyForKeys: ["owner"] } as const;
const EVERYBODYS = { name: "page" };
const keyOf = (role: TenantRole, more: object = {}): TenantPrincipal => ({ ...PRINCIPAL, role, ...more });

test("a tool that is for some keys' own calls refuses every other key, an access token and a subagent", () => {
  const forbidden = { code: "auth.forbidden", status: 403 };
  for (const role of ["agent", "developer", "viewer"] as const)
    expect(() => isByAgent(keyOf(role), ADMINISTERS, {})).toThrow(expect.objectContaining(forbidden));
  const token = keyOf("owner", { accessToken: { id: "at_1" } });
  expect(() => isByAgent(token, ADMINISTERS, {})).toThrow(expect.objectContaining(forbidden));
  for (const subagentDepth of [1, 5])
    expect(() => isByAgent(keyOf("owner"), ADMINISTERS, { subagentDepth })).toThrow(/No subagent/);
});

test("its call counts as an agent's where it names one, by whatever says so, and not where a person calls for a user", () => {
  const owner = keyOf("owner");
  expect(isByAgent(owner, ADMINISTERS, {})).toBe(false);
  expect(isByAgent(owner, ADMINISTERS, { userId: "ann" })).toBe(false);
  expect(isByAgent(owner, ADMINISTERS, { agentId: "clerk" })).toBe(true);
  expect(isByAgent(keyOf("owner", { asks: { provider: "openai" } }), ADMINISTERS, {})).toBe(true);
});

test("a call of another tool is an agent's by its key alone", () => {
  expect(isByAgent(keyOf("owner"), EVERYBODYS, { agentId: "clerk", subagentDepth: 2 })).toBe(false);
  expect(isByAgent(keyOf("agent"), EVERYBODYS, {})).toBe(true);
});
