import { newExecutionId, type Signal } from "@bulkhead/core";
import { expect, test } from "vitest";
import { decodeSignal } from "./signal-codec.ts";

const executionId = newExecutionId(new Date());

test.each<Signal>([
  { type: "stop", executionId, attempt: 3 },
  { type: "forget", kind: "tool", id: "tool_0123456789abcdef" },
  { type: "forget", kind: "key", id: "a".repeat(64) },
  { type: "forget", kind: "tenant", id: "ten_0123456789abcdef" },
  { type: "forget", kind: "tools", id: "ten_0123456789abcdef" },
])("%j arrives as it was sent", (signal) => {
  expect(decodeSignal(JSON.stringify(signal))).toEqual(signal);
});

test("fields that a signal does not have are dropped", () => {
  expect(decodeSignal('{"type":"forget","kind":"tool","id":"x","__proto__":1,"more":2}')).toEqual({
    type: "forget",
    kind: "tool",
    id: "x",
  });
});

test.each([
  "",
  "garbage",
  "null",
  "[]",
  "7",
  '{"type":"stop"}',
  `{"type":"stop","executionId":"${executionId}","attempt":"1"}`,
  '{"type":"stop","executionId":"exe_1","attempt":1}',
  '{"type":"forget","kind":"everything","id":"x"}',
  `{"type":"forget","kind":"tool","id":"${"x".repeat(129)}"}`,
  `{"type":"forget","kind":"tool","id":"x"}${" ".repeat(512)}`,
])("%j is no signal", (text) => {
  expect(decodeSignal(text)).toBeNull();
});
