import { expect, test } from "vitest";
import { FAULTS_MAX } from "./bounds.ts";
import { frameOf, inOrder, wholeFault } from "./fault-list.ts";

test("what a stranger wrote steers no terminal", () => {
  const told = wholeFault({
    code: "module.threw",
    file: "a\u001b[2J/tools.ts",
    export: "x\u0007",
    message: "one\ttwo\nthree\r\u009b31m",
    stack: "\u202ea\u200bt",
    frame: { from: 1, lines: ["\u001b]0;title\u0007"] },
  });
  expect(JSON.stringify(told)).not.toMatch(/\\u00(?:1b|07|9b|0d)|\\r|\u202e|\u009b/);
  expect(told).toMatchObject({
    severity: "error",
    line: null,
    message: "one\ttwo\nthree\ufffd\ufffd31m",
    stack: "\ufffda\ufffdt",
  });
});

test("faults go by file and place, and are bounded", () => {
  const at = (file: string, line: number | null) =>
    wholeFault({ code: "code.invalid", file, message: "", line });
  const faults = [at("b", 1), at("a", 10), at("a", 2), at("a", null)];
  expect(inOrder(faults).map(({ file, line }) => `${file}${line}`)).toEqual(["anull", "a2", "a10", "b1"]);
  expect(inOrder(Array.from({ length: FAULTS_MAX + 1 }, () => at("a", 1)))).toHaveLength(FAULTS_MAX);
});

test("a frame has two lines around the place, and no long line whole", () => {
  const text = ["one", "two", "x".repeat(300), "four", "five", "six"].join("\r\n");
  expect(frameOf(text, 3)).toEqual({ from: 1, lines: ["one", "two", `${"x".repeat(200)}…`, "four", "five"] });
  expect(frameOf(text, 1)).toEqual({ from: 1, lines: ["one", "two", `${"x".repeat(200)}…`] });
  expect(frameOf(text, 7)).toBeNull();
});
