import { expect, test } from "vitest";
import { timeBeyondDelay } from "./calls.ts";

test("what was asked for counts from acceptance, what was not is for others to say", () => {
  expect(timeBeyondDelay({ delayMs: 700, timeoutMs: 1_200 })).toBe(500);
  expect(timeBeyondDelay({ delayMs: 0, timeoutMs: 1_200 })).toBe(1_200);
  expect(timeBeyondDelay({ delayMs: 700 })).toBeNull();
});
