import { expect, test } from "vitest";
import { previewOf } from "./approval-words.ts";

test("arguments are one line, cut where they are long", () => {
  expect(previewOf({})).toBe("no arguments");
  expect(previewOf({ command: "git push", force: true })).toBe("command: git push, force: true");
  expect(previewOf({ text: "x".repeat(1_000_000) }).length).toBeLessThan(200);
});
