import { expect, test } from "vitest";
import { pointerIn, problemsOf } from "./problem-places.ts";

const SCHEMA = {
  properties: { "a.b": { type: "strin" }, a: { properties: { "c/d~": {} } } },
  prefixItems: [{}, { type: "x" }],
};

test.each([
  ["parameters", ""],
  ["parameters.type", ""],
  ["parameters.properties.a.b.type", "/properties/a.b/type"],
  ["outputSchema.properties.a.properties.c/d~.type", "/properties/a/properties/c~1d~0"],
  ["parameters.prefixItems.1.type", "/prefixItems/1/type"],
  ["parameters.properties.__proto__", "/properties"],
])("%s is at %j", (path, pointer) => expect(pointerIn(SCHEMA, path)).toBe(pointer));

test("a part has the problems of its own place and of what is within", () => {
  const problems = ["/properties/a", "/properties/a/type", "/properties/ab", "/properties/x~1y/type", ""].map(
    (pointer) => ({ pointer, message: pointer }),
  );
  expect(problemsOf(problems, "properties", "a").map(({ pointer }) => pointer)).toEqual(["", "/type"]);
  expect(problemsOf(problems, "properties", "x/y").map(({ pointer }) => pointer)).toEqual(["/type"]);
  expect(problemsOf(problems)).toHaveLength(5);
});
