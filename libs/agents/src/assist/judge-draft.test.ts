import type { SchemaChecker } from "@bulkhead/core";
import { expect, test } from "vitest";
import { judgeDraft, type JudgeDeps, type TriedExample } from "./judge-draft.ts";

const schemas: Pick<SchemaChecker, "checkSchema" | "checkResult"> = {
  checkSchema: (_tenantId, schema) =>
    Promise.resolve({
      faults: schema["type"] === "nothing" ? [{ path: "outputSchema.type", message: "no such type" }] : [],
      warnings: [],
    }),
  checkResult: (_tenantId, _key, _schema, value) =>
    Promise.resolve(typeof value === "string" ? [] : [{ path: "result.a", message: "must be a string" }]),
};
const judge = (result: unknown, tried: Partial<TriedExample>) =>
  judgeDraft(
    { schemas },
    "ten_1",
    { arguments: {}, result },
    {
      executionId: "exe_1",
      result: null,
      errorCode: null,
      message: null,
      ...tried,
    },
  );

test("a run that does what its example says has no fault", async () => {
  expect(await judge({ $match: { a: 1 } }, { result: { a: 1, b: 2 } })).toEqual([]);
  expect(await judge({ $error: "tool.threw" }, { errorCode: "tool.threw", message: "no" })).toEqual([]);
  expect(await judge({ $schema: { type: "string" } }, { result: "x" })).toEqual([]);
});

test("faults name the place in the example, and what the run said", async () => {
  expect(await judge({ a: 1 }, { result: { a: 2 } })).toEqual([
    { path: "example.result.a", message: "expected 1, the run gave 2" },
  ]);
  expect(await judge(undefined, { errorCode: "tool.threw", message: "x is not defined" })).toEqual([
    {
      path: "example.result",
      message: 'expected success, the run gave the error "tool.threw": x is not defined',
    },
  ]);
});

test("a schema that is none is a fault of the example", async () => {
  const [none] = await judge({ $schema: "string" }, { result: 1 });
  expect(none?.message).toContain("a JSON Schema, which this $schema is not");
  const [unusable] = await judge({ $schema: { type: "nothing" } }, { result: 1 });
  expect(unusable?.message).toContain("no such type");
  expect(await judge({ $schema: { type: "string" } }, { result: 1 })).toMatchObject([
    { path: "example.result.a", message: "expected must be a string, the run gave 1" },
  ]);
});

test("so many schemas of one example are checked, each of which is compiled", async () => {
  const result = Array.from({ length: 1_000 }, () => ({ $schema: { type: "string" } }));
  let compiled = 0;
  const checkSchema: JudgeDeps["schemas"]["checkSchema"] = () => {
    compiled += 1;
    return Promise.resolve({ faults: [], warnings: [] });
  };
  const faults = await judgeDraft(
    { schemas: { ...schemas, checkSchema } },
    "ten_1",
    { arguments: {}, result: { $match: result } },
    { executionId: "exe_1", result: result.map(() => "x"), errorCode: null, message: null },
  );
  expect([compiled, faults[0]?.message]).toEqual([20, expect.stringContaining("20 $schema in one example")]);
});
