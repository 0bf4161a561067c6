import type { SandboxVerdict } from "@bulkhead/core";
import { expect, test } from "vitest";
import { fakeScrubber } from "../fixtures/fake-scrubbers.ts";
import { failed, judge, type Judged } from "../attempt/judge.ts";
import { coverEnd } from "./cover-end.ts";

const LIMITS = { resultBytes: 100 };
const returned = (json: string) => ({ outcome: "returned", json }) as SandboxVerdict;
const judgedOf = (verdict: SandboxVerdict): Judged => judge(verdict, new Set()) as Judged;
const coverResult = (json: string, resultBytes = 100) =>
  coverEnd(fakeScrubber("hunter2"), { resultBytes }, returned(json), judgedOf(returned(json)), null);
const coverMessage = (message: string) =>
  coverEnd(
    fakeScrubber("hunter2"),
    LIMITS,
    { outcome: "threw", message } as SandboxVerdict,
    failed("failed", "tool.threw", message),
    null,
  ).error?.message;

test("an end without secrets is what it was", () => {
  const verdict = returned('{"a":1}');
  const judged = judgedOf(verdict);
  expect(coverEnd(fakeScrubber("hunter2"), LIMITS, verdict, judged, null)).toBe(judged);
});

test("a result is covered in its keys and values", () => {
  expect(coverResult('{"hunter2":["hunter2",1]}').result).toEqual({ "[REDACTED]": ["[REDACTED]", 1] });
});

test("a large result is what it was covered as, and is not told where nobody could", () => {
  const verdict = returned('"hunter2"');
  const cover = (covered: string | null) =>
    coverEnd(fakeScrubber(), LIMITS, verdict, judgedOf(verdict), { covered });
  expect(cover('"[REDACTED]"').result).toBe("[REDACTED]");
  expect(cover(null)).toMatchObject({
    status: "failed",
    result: null,
    error: { code: "tool.output_invalid" },
  });
});

test("a result that is over its bound once it is covered is too large", () => {
  const json = '"hunter2"';
  expect(coverResult(json, 12).status).toBe("succeeded");
  expect(coverResult(json, 11)).toMatchObject({ status: "failed", error: { code: "tool.result_too_large" } });
});

test.each([
  ["Error: hunter2", "Error: [REDACTED]"],
  ["Error: is hunt … (cut) (tool.js:1:2)", "Error: is [REDACTED] … (cut) (tool.js:1:2)"],
  ["Error: it says … (cut) is hunt … (cut)", "Error: it says … (cut) is [REDACTED] … (cut)"],
  ["Error: hunter2 is whole … (cut)", "Error: [REDACTED] is whole … (cut)"],
])("the message %j is told as %j", (message, told) => {
  expect(coverMessage(message)).toBe(told);
});
