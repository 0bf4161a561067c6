import { expect, test } from "vitest";
import { z } from "zod";
import { anyObject, timestamp } from "./fields.ts";
import { readInput } from "./read-input.ts";

const messageOf = (schema: z.ZodType, value: unknown): unknown =>
  readInput(z.object({ field: schema }), { field: value }).faults?.map(({ path, message }) => [
    path,
    message,
  ]);

const Kinds = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("a") }),
  z.object({ kind: z.literal("b") }),
]);

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 5, "must be a string, not a number"],
  [z.string(), null, "must be a string, not null"],
  [z.number(), "5", "must be a number, not a string"],
  [z.int(), 1.5, "must be a whole number"],
  [z.boolean(), "yes", "must be true or false, not a string"],
  [z.array(z.string()), {}, "must be an array, not an object"],
  [z.strictObject({}), [], "must be an object, not an array"],
  [anyObject, true, "must be an object, not true or false"],
  [z.record(z.string(), z.any()), null, "must be an object, not null"],
  [z.literal("a"), "b", 'must be "a"'],
  [z.enum(["a", "b"]), "c", 'must be one of "a", "b"'],
  [z.string().max(3), "abcd", "must have at most 3 characters"],
  [z.string().min(1), "", "must have at least 1 character"],
  [z.string().length(2), "abc", "must have exactly 2 characters"],
  [z.array(z.any()).max(1), [1, 2], "must have at most 1 item"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.number().max(9), 10, "must be at most 9"],
  [z.number().gt(1), 1, "must be more than 1"],
  [z.number().multipleOf(5), 7, "must be a multiple of 5"],
  [timestamp, "today", "must be a date and a time, such as 2026-01-31T12:00:00Z"],
  [z.iso.date(), "x", "must be a date, such as 2026-01-31"],
  [z.string().regex(/^a$/), "b", "must match the pattern /^a$/"],
  [z.union([z.string(), anyObject]), 5, "must be a string or an object, not a number"],
  [z.union([z.string().max(1), z.number()]), "ab", "must have at most 1 character"],
  [z.union([z.literal("*"), z.int().min(1)]), 0, "must be at least 1"],
  [z.union([z.literal("*"), z.int()]), "x", 'must be "*", or must be a number, not a string'],
  [
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    { a: 1, b: 2 },
    "a must be a string, not a number, or b must be a string, not a number",
  ],
  [z.string().refine(() => false), "x", "is not valid"],
  [z.string().refine(() => false, "must be otherwise"), "x", "must be otherwise"],
])("%# a fault of a field is a plain sentence", (schema, value, message) => {
  expect(messageOf(schema, value)).toEqual([["field", message]]);
});

test("what tells kinds apart, and names that may not stand there, are told likewise", () => {
  expect(messageOf(Kinds, { kind: "c" })).toEqual([["field.kind", 'must be one of "a", "b"']]);
  expect(messageOf(z.record(z.string().regex(/^a/, "must begin with a"), z.any()), { b: 1 })).toEqual([
    ["field.b", "is no name that may stand here: a name must begin with a"],
  ]);
});
