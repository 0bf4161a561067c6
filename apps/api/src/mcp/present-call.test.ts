import { Fault } from "@bulkhead/core";
import { expect, test } from "vitest";
import { refusalOf } from "./present-call.ts";

test("a refusal tells each place once, also one that its sentence has told already", () => {
  const fault = new Fault("tool.arguments_invalid", {
    detail: "arguments.text: is required.",
    errors: [
      { path: "arguments.text", message: "is required" },
      { path: "arguments.n", message: "must be a number" },
    ],
  });
  const text = "tool.arguments_invalid: arguments.text: is required.\narguments.n: must be a number";
  expect(refusalOf(fault)).toMatchObject({ isError: true, content: [{ type: "text", text }] });
});
