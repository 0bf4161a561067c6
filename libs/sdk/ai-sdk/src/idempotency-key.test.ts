import { expect, test } from "vitest";
import { idempotencyKeyOf } from "./idempotency-key.ts";

const call = { name: "adder", args: { a: 1, b: { c: 2, d: 3 } }, toolCallId: "call_0", context: {} };

test("the same call has the same key, in whatever order a store gives its arguments back", async () => {
  const stored = { ...call, args: { b: { d: 3, c: 2 }, a: 1 } };
  expect(await idempotencyKeyOf(stored)).toBe(await idempotencyKeyOf(call));
});

test("another call, conversation or agent has another key, also where a provider's ids repeat", async () => {
  const others = [
    { ...call, name: "remover" },
    { ...call, args: { a: 2 } },
    { ...call, args: [1] },
    { ...call, toolCallId: "call_1" },
    { ...call, context: { conversationId: "c2" } },
    { ...call, context: { agentId: "writer" } },
  ];
  const keys = await Promise.all([call, ...others].map(idempotencyKeyOf));
  expect(new Set(keys).size).toBe(keys.length);
});
