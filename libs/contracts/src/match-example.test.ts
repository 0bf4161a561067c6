import type { Json } from "@bulkhead/core";
import { expect, test } from "vitest";
import { matchExample, type CheckSchema, type ExampleEnd } from "./match-example.ts";

/** Knows `type` alone. */
const checkSchema: CheckSchema = (schema, value) => {
  const { type } = schema as { type: string };
  return Promise.resolve(typeof value === type ? [] : [{ path: "", message: `must be a ${type}` }]);
};
const ended = (result: Json): ExampleEnd => ({ result, errorCode: null });
const failed = (errorCode: string): ExampleEnd => ({ result: null, errorCode });
const judge = (expected: unknown, got: ExampleEnd) => matchExample(expected, got, checkSchema);

test.each([
  [
    "equal JSON, whatever the order of its fields",
    { a: [1, { b: null }], c: "x" },
    { c: "x", a: [1, { b: null }] },
  ],
  ["a part, at every depth", { $match: { a: [{ b: 1 }] } }, { a: [{ b: 1, more: true }], further: 2 }],
  ["a schema", { $schema: { type: "string" } }, "x"],
  ["a schema within a part", { $match: { id: { $schema: { type: "string" } }, n: 1 } }, { id: "a", n: 1 }],
  ["a mark beside other fields as the plain value that it is", { $match: 1, a: 2 }, { $match: 1, a: 2 }],
  ["null", null, null],
  ["anything, where nothing is expected", undefined, { a: 1 }],
])("%s matches", async (_what, expected, got) => {
  expect(await judge(expected, ended(got))).toEqual([]);
});

test.each([
  ["a field too many", { a: 1 }, { a: 1, b: 2 }, [{ path: "b", expected: "nothing", got: "2" }]],
  [
    "a field too few",
    { $match: { a: { b: 1 } } },
    { a: {} },
    [{ path: "a.b", expected: "1", got: "nothing" }],
  ],
  ["a list of another length", { $match: [1] }, [1, 2], [{ path: "", expected: "[1]", got: "[1,2]" }]],
  ["an item", [1, { b: 2 }], [1, { b: 3 }], [{ path: "1.b", expected: "2", got: "3" }]],
  ["a list for an object", {}, [], [{ path: "", expected: "{}", got: "[]" }]],
  ["a text for its number", 1, "1", [{ path: "", expected: "1", got: '"1"' }]],
  [
    "a value that its schema refuses",
    { $match: { id: { $schema: { type: "string" } } } },
    { id: 1 },
    [{ path: "id", expected: "must be a string", got: "1" }],
  ],
])("%s is told with its place", async (_what, expected, got, differences) => {
  expect(await judge(expected, ended(got as Json))).toEqual(differences);
});

test("an expected error is met by its code alone, and success is expected unless one is", async () => {
  expect(await judge({ $error: "tool.threw" }, failed("tool.threw"))).toEqual([]);
  const other = [{ path: "", expected: 'the error "tool.threw"', got: 'the error "tool.wall_limit"' }];
  expect(await judge({ $error: "tool.threw" }, failed("tool.wall_limit"))).toEqual(other);
  const none = [{ path: "", expected: 'the error "tool.threw"', got: "the result 1" }];
  expect(await judge({ $error: "tool.threw" }, ended(1))).toEqual(none);
  const refused = [{ path: "", expected: "success", got: 'the error "tool.threw"' }];
  expect(await judge(undefined, failed("tool.threw"))).toEqual(refused);
});

test("so many differences are told, and the start of a long value", async () => {
  const differences = await judge(
    Array.from({ length: 100 }, () => 0),
    ended(Array.from({ length: 100 }, () => "x".repeat(1_000))),
  );
  expect(differences).toHaveLength(20);
  expect(differences[0]?.got).toHaveLength(201);
});
