import { Fault } from "@bulkhead/faults";
import { expect, test } from "vitest";
import { parseJsonBody } from "./json-body.ts";

const codeOf = (text: string): string => {
  try {
    parseJsonBody(text);
    return "accepted";
  } catch (error) {
    return error instanceof Fault ? error.code : String(error);
  }
};

test("an empty body is no body", () => {
  expect(parseJsonBody("")).toBeUndefined();
});

test.each([
  ["broken JSON", '{"a":', "request.malformed_json"],
  ["a poisoned prototype", '{"__proto__":{"admin":true}}', "request.malformed_json"],
  [
    "a body that nests a million levels deep",
    "[".repeat(1_000_000) + "]".repeat(1_000_000),
    "request.invalid",
  ],
  ["a body that nests one level too deep", "[".repeat(102) + "]".repeat(102), "request.invalid"],
  ["a body at the bound", "[".repeat(100) + "]".repeat(100), "accepted"],
  ["a wide body", JSON.stringify(Array.from({ length: 200_000 }, () => ({}))), "accepted"],
])("%s is answered with its own code", (_name, text, code) => {
  expect(codeOf(text)).toBe(code);
});
