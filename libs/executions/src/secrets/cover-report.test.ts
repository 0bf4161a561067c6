import { expect, test } from "vitest";
import { fakeScrubber } from "../fixtures/fake-scrubbers.ts";
import { coverReport } from "./cover-report.ts";

function report(error: unknown): unknown {
  let reported: unknown;
  coverReport((_, told) => (reported = told), fakeScrubber("hunter2"))("it failed", error);
  return reported;
}

test("an error without secrets is reported as it is", () => {
  const error = new Error("no way");
  expect(report(error)).toBe(error);
});

const QUOTED = 'it\'s "\\hunter2"';

test("a secret that a log would quote is found", () => {
  let reported: unknown;
  const covering = coverReport((_, told) => (reported = told), fakeScrubber(QUOTED));
  covering("it failed", Object.assign(new Error("no way"), { request: { key: QUOTED } }));
  expect(reported).toContain("key: [REDACTED]");
});

test.each([
  ["message", new Error("hunter2")],
  ["cause", new Error("no way", { cause: new Error("hunter2") })],
  ["fields", Object.assign(new Error("no way"), { request: { url: "https://hunter2/" } })],
])("of an error with a secret in its %s only the covered text is reported", (_, error) => {
  const reported = String(report(error));
  expect(reported).toContain("[REDACTED]");
  expect(reported).not.toContain("hunter2");
});
