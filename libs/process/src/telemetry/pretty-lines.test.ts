import { pino } from "pino";
import { expect, test } from "vitest";
import { prettyLines } from "./pretty-lines.ts";

const pretty = prettyLines(false);

function lineOf(fields: object, message: string): string {
  let line = "";
  pino({ name: "api" }, { write: (text: string) => void (line = text.trimEnd()) }).info(fields, message);
  return line;
}

test("a line tells its level, its process and what it says", () => {
  expect(pretty(lineOf({ executionId: "exe_1" }, "it ended"))).toMatch(
    /INFO \(api\): it ended\n\s+executionId: "exe_1"\n$/u,
  );
});

test("what isn't a log line stays as it is", () => {
  expect(pretty("worker ready")).toBe("worker ready\n");
});

test.each([
  ["an escape sequence", "\u001B[2J"],
  ["a carriage return", "a\rb"],
  ["a bell", "\u0007"],
  ["a backspace", "\b"],
  ["delete", "\u007F"],
  ["a C1 control", "\u009B31m"],
])("%s in what a stranger wrote does not reach the terminal", (_what, text) => {
  for (const said of [pretty(lineOf({ text, err: new Error(text) }, text)), pretty(`broken ${text}`)]) {
    // oxlint-disable-next-line no-control-regex
    expect(said.replaceAll("\n", "")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u);
  }
});

test("a backslash before such a letter is no escape", () => {
  expect(pretty(lineOf({}, String.raw`C:\r\new`))).toContain(String.raw`C:\r\new`);
});
