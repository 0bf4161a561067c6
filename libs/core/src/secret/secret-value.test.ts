import { expect, test } from "vitest";
import { judgeSecret, needleWeight } from "./secret-value.ts";

test.each([
  ["", "short"],
  ["hunter2", "short"],
  ["  abcdefg  ", "short"],
  ["password", "common"],
  [" PassWord\n", "common"],
  ["--------------------", "common"],
  ["00000000", "common"],
  ["abcabcabcab", "common"],
  ["correct horse battery staple", "ok"],
  ["20260113", "ok"],
  ["s3cr3t-value", "ok"],
])("%j is %s", (value, judgement) => {
  expect(judgeSecret(value)).toBe(judgement);
});

test("a long value is judged at once", () => {
  expect(judgeSecret(`${"ab".repeat(100_000)}xyz`)).toBe("ok");
});

test("a character beyond ASCII weighs as much as eight", () => {
  expect(needleWeight([])).toBe(0);
  expect(needleWeight([{ value: "s3cr3t" }, { value: "küß" }])).toBe(6 + 1 + 8 + 8);
});
