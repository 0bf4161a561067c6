import { CLIENT_CHARS_MAX } from "@bulkhead/core";
import { expect, test } from "vitest";
import { clientOf } from "./call-origin.ts";

test("a program's name is the beginning of what it says of itself, in one line", () => {
  expect(clientOf("curl/8.5.0")).toBe("curl/8.5.0");
  expect(clientOf("  a\tb\u0000\u001b[31m\u0085\u202ec  ")).toBe("ab[31mc");
  expect(clientOf("x".repeat(CLIENT_CHARS_MAX + 1))).toBe("x".repeat(CLIENT_CHARS_MAX));
  expect(clientOf(`${"x".repeat(CLIENT_CHARS_MAX - 1)}\u{1F600}`)).toBe(
    `${"x".repeat(CLIENT_CHARS_MAX - 1)}\uFFFD`,
  );
});

test("a program that says nothing of itself has no name", () => {
  for (const said of [undefined, "", " \t ", "\u0000"]) expect(clientOf(said)).toBeNull();
});
