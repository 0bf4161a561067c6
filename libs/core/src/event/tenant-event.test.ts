import { describe, expect, test } from "vitest";
import type { TenantRole } from "../tenant/principal.ts";
import { readTenantNews, seesNews } from "./tenant-event.ts";

const data = { toolId: "tool_1", toolName: "greet", toolVersion: 2, status: "active", by: "key_1" };
const news = { type: "tool.created", data };

test("news of a known kind is read, without what its kind does not have", () => {
  expect(readTenantNews(news)).toEqual(news);
  expect(readTenantNews({ ...news, tenantId: "ten_1", data: { ...data, tenantId: "ten_1" } })).toEqual(news);
});

test("a reason is there or not, and is text", () => {
  const rejected = { type: "tool.rejected", data: { ...data, status: "rejected" } };
  const withReason = { ...rejected, data: { ...rejected.data, reason: "It mails." } };
  expect(readTenantNews(rejected)).toEqual(rejected);
  expect(readTenantNews(withReason)).toEqual(withReason);
  expect(readTenantNews({ ...rejected, data: { ...rejected.data, reason: 1 } })).toBeNull();
});

test.each<[string, unknown]>([
  ["no object", "tool.created"],
  ["null", null],
  ["an unknown kind", { ...news, type: "tool.sold" }],
  ["a kind named like a property of every object", { ...news, type: "toString" }],
  ["no data", { type: "tool.created" }],
  ["a missing field", { ...news, data: { ...data, by: undefined } }],
  ["a number that is text", { ...news, data: { ...data, toolVersion: "2" } }],
  ["a word that is not in the list", { ...news, data: { ...data, status: "sold" } }],
])("%s is no news", (_what, value) => {
  expect(readTenantNews(value)).toBeNull();
});

test.each<[string, unknown, unknown]>([
  ["an agent's", "one", "one"],
  ["the tenant's", null, null],
  ["nobody knows whose, from an older version", undefined, undefined],
  ["nobody knows whose, by what is no agent", 1, undefined],
])("news are %s", (_whose, said, agentId) => {
  expect(readTenantNews({ ...news, agentId: said })?.agentId).toBe(agentId);
});

test.each(["api_key.deleted", "mcp_server.state_changed", "delivery.tried"])(
  "%s is for people alone, whoever the agent is",
  (type) => {
    const sees = (role: TenantRole, agentId: string | null) =>
      seesNews({ role, agentId }, { type, agentId: null });
    expect([sees("viewer", null), sees("agent", null), sees("agent", "one")]).toEqual([true, false, false]);
  },
);

describe("who is told", () => {
  const key = (role: TenantRole, agentId: string | null = null) => ({ role, agentId });
  /** Whether the key sees news of agent "one", of the tenant and of an unknown owner. */
  const told = (type: "tool.deleted" | "approval.answered", principal: ReturnType<typeof key>) =>
    ["one", null, undefined].map((agentId) => seesNews(principal, { type, agentId }));

  test.each([
    ["a person, of all", key("viewer"), [true, true, true], [true, true, true]],
    [
      "a person's key that names an agent, of all",
      key("owner", "two"),
      [true, true, true],
      [true, true, true],
    ],
    [
      "an agent, of its tools and the tenant's, and of its calls",
      key("agent", "one"),
      [true, true, false],
      [true, false, false],
    ],
    [
      "another agent, of the tenant's tools",
      key("agent", "two"),
      [false, true, false],
      [false, false, false],
    ],
    [
      "a key of no agent, of the tenant's tools, and of calls for none",
      key("agent"),
      [false, true, false],
      [false, true, false],
    ],
  ])("%s", (_, principal, tools, calls) => {
    expect(told("tool.deleted", principal)).toEqual(tools);
    expect(told("approval.answered", principal)).toEqual(calls);
  });
});
