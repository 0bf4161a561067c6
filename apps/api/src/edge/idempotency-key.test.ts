import type { TenantRole } from "@bulkhead/core";
import { expect, test } from "vitest";
import { idempotencyKeyOf } from "./idempotency-key.ts";

const hashOf = (asked: unknown, agentId: string | null = null, role: TenantRole = "agent") =>
  idempotencyKeyOf("k", { agentId, role }, asked)?.bodyHash;

test("the same call in another order of keys is the same call", () => {
  expect(hashOf({ a: 1, b: { c: [1, 2], d: null } })).toBe(hashOf({ b: { d: null, c: [1, 2] }, a: 1 }));
});

test.each([
  [{ a: 1 }, { a: "1" }],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: {} }, { a: [] }],
  [{ a: null }, {}],
])("%j and %j are different calls", (one, other) => {
  expect(hashOf(one)).not.toBe(hashOf(other));
});

test("the same call by another agent is another call, since its names may mean other tools", () => {
  expect(new Set([hashOf({ a: 1 }), hashOf({ a: 1 }, "one"), hashOf({ a: 1 }, "two")]).size).toBe(3);
});

test("an agent's call is no repeat of a person's, which it might not be let make", () => {
  expect(hashOf({ a: 1 })).not.toBe(hashOf({ a: 1 }, null, "owner"));
  expect(hashOf({ a: 1 }, null, "developer")).toBe(hashOf({ a: 1 }, null, "owner"));
});

test("no key is no key", () => {
  expect(idempotencyKeyOf(undefined, { agentId: null, role: "owner" }, {})).toBeNull();
});
