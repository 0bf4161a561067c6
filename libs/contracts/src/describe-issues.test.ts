import { expect, test } from "vitest";
import { z } from "zod";
import { ExecutionQuery } from "./execution-lists.ts";
import { readInput } from "./read-input.ts";

const Item = z.strictObject({ bytesIn: z.int().optional() });
const Schema = z.strictObject({
  timeZone: z.string().optional(),
  tool: z.string(),
  arguments: z.record(z.string(), z.any()),
  mode: z.enum(["a", "b"]),
  items: z.array(Item).default([]),
  named: z.record(z.string(), Item).nullable().optional(),
});

const COMPLETE = { tool: "t", arguments: {}, mode: "a" };

const faultsOf = (input: unknown) => readInput(Schema, input).faults ?? [];

test("an unknown field is told the known one that is close to it, however deep it lies", () => {
  const input = { ...COMPLETE, time_zone: "UTC", items: [{ bytesin: 1 }], named: { one: { bytesInn: 1 } } };
  const message = "is not a known field (did you mean bytesIn?)";
  expect(faultsOf(input)).toEqual(
    expect.arrayContaining([
      { path: "time_zone", message: "is not a known field (did you mean timeZone?)" },
      { path: "items.0.bytesin", message },
      { path: "named.one.bytesInn", message },
    ]),
  );
});

test("an unknown field that is close to none is told just that", () => {
  expect(faultsOf({ ...COMPLETE, colour: "red" })).toEqual([
    { path: "colour", message: "is not a known field" },
  ]);
});

test("a wrong word of several in one field is told which ones there are, and a moment that is none just that", () => {
  const of = (query: Record<string, unknown>) => readInput(ExecutionQuery, query).faults;
  const message = expect.stringMatching(/^must be one of "awaiting_approval", "queued", /);
  expect(of({ status: "sucess" })).toEqual([{ path: "status.0", message }]);
  expect(of({ status: ["failed,lost", "sucess"] })).toEqual([{ path: "status.2", message }]);
  expect(of({ from: "yesterday" })).toEqual([
    { path: "from", message: expect.stringMatching(/^must be a date and a time/) },
  ]);
  expect(of({ from: "1969-12-31T00:00:00Z" })).toEqual([
    { path: "from", message: "must not be before 1970-01-01T00:00:00Z" },
  ]);
});

test("what is missing is required, and what is there and wrong is not called missing", () => {
  expect(faultsOf({})).toEqual(
    ["tool", "arguments", "mode"].map((path) => ({ path, message: "is required" })),
  );
  expect(faultsOf({ ...COMPLETE, tool: 7 })).toEqual([
    { path: "tool", message: "must be a string, not a number" },
  ]);
});

test("what is wrong in the one form of a value that was meant is told at its place", () => {
  const Value = z.union([z.string().max(2), z.strictObject({ config: z.string() })], {
    error: "must be either",
  });
  const Values = z.strictObject({ env: z.record(z.string(), Value) });
  const told = (value: unknown) => readInput(Values, { env: { a: value } }).faults;
  expect(told({ config: 5 })).toEqual([{ path: "env.a.config", message: "must be a string, not a number" }]);
  expect(told(5)).toEqual([{ path: "env.a", message: "must be either" }]);
});
