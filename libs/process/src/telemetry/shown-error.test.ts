import { pino } from "pino";
import { expect, test } from "vitest";
import { shownError } from "./shown-error.ts";

test("what a library hung on its error does not reach the log, nor what it hung on a cause", () => {
  let line = "";
  const logger = pino({ serializers: { err: shownError } }, { write: (text: string) => void (line = text) });
  const command = { name: "hello", args: ["3", "AUTH", "default", "p4ssw0rd"] };
  const cause = Object.assign(new Error("WRONGPASS"), { command });
  logger.warn({ err: Object.assign(new Error("no Redis", { cause }), { command, code: "ECONN" }) }, "failed");
  expect(line).not.toContain("p4ssw0rd");
  const { err } = JSON.parse(line);
  expect(err).toEqual({
    type: "Error",
    message: "no Redis: WRONGPASS",
    stack: expect.stringContaining("caused by: Error: WRONGPASS"),
    code: "ECONN",
  });
});

test("a text that was made of an error stays a text", () => {
  expect(shownError("it failed")).toBe("it failed");
});
