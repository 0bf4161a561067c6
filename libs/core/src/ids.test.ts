import { expect, test } from "vitest";
import { EXECUTION_ID, newExecutionId, newToolId, TOOL_ID } from "./ids.ts";

test("execution ids are UUIDv7 in hex and sort by time", () => {
  const ids = [0, 1, 255, 256, 1_700_000_000_000, 1_700_000_000_001].map((ms) =>
    newExecutionId(new Date(ms)),
  );
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) {
    expect(id).toMatch(EXECUTION_ID);
    expect(id.charAt("exe_".length + 12)).toBe("7");
    expect("89ab").toContain(id.charAt("exe_".length + 16));
  }
});

test("the first 12 digits are the Unix milliseconds", () => {
  const at = new Date(1_732_000_000_123);
  expect(Number.parseInt(newExecutionId(at).slice(4, 16), 16)).toBe(at.getTime());
});

test("tool ids have 16 hex digits and differ", () => {
  const ids = Array.from({ length: 100 }, newToolId);
  for (const id of ids) expect(id).toMatch(TOOL_ID);
  expect(new Set(ids).size).toBe(100);
});

test("the ids of one millisecond are in the order in which they were made, 4,096 of them", () => {
  const at = new Date(1_732_000_000_456);
  const ids = Array.from({ length: 4_096 }, () => newExecutionId(at));
  expect(ids.toSorted()).toEqual(ids);
  const beyond = newExecutionId(at);
  expect(beyond).toMatch(EXECUTION_ID);
  expect(ids).not.toContain(beyond);
  // The count is of one millisecond.
  expect(newExecutionId(new Date(at.getTime() + 1)).slice(16, 20)).toBe("7000");
});
