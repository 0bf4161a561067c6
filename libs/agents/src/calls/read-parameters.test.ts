import { expect, test } from "vitest";
import { readParameters } from "./read-parameters.ts";

test("a schema may come as JSON in a string or as an object", () => {
  const schema = { type: "object", properties: {} };
  expect(readParameters(schema)).toBe(schema);
  expect(readParameters(JSON.stringify(schema))).toEqual(schema);
});

test.each([
  ["{type: 'object'}", "is not valid JSON"],
  ["", "is not valid JSON"],
  ["[]", "must be a JSON Schema object"],
  ["null", "must be a JSON Schema object"],
  ['"text"', "must be a JSON Schema object"],
  ["[".repeat(200) + "]".repeat(200), "must be a JSON Schema object"],
  [`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "nests deeper than 100 levels"],
])("%.20s is refused with what to send instead", (text, message) => {
  expect(() => readParameters(text)).toThrow(
    expect.objectContaining({
      code: "request.invalid",
      errors: [{ path: "parameters", message: expect.stringContaining(message) }],
    }),
  );
});
