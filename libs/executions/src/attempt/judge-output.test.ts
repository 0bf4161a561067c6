import type { Json } from "@bulkhead/core";
import { expect, test } from "vitest";
import { failed, judgeOutput, type Judged } from "./judge.ts";

const GOOD: Judged = { status: "succeeded", result: { a: 1 }, error: null };
const SCHEMA = { outputSchema: { type: "object" } };

const K = { tenantId: "ten_1", key: "k" };
const depsWith = (checkResult: () => Promise<{ path: string; message: string }[]>) => {
  const reported: string[] = [];
  return { reported, schemas: { checkResult }, report: (what: string) => void reported.push(what) };
};
const faulty = (count: number, message = "is required") =>
  depsWith(() =>
    Promise.resolve(Array.from({ length: count }, (_, n) => ({ path: `result.f${n}`, message }))),
  );

test("a result that matches stays what it is", async () => {
  expect(await judgeOutput(faulty(0), SCHEMA, K, GOOD, GOOD)).toBe(GOOD);
});

test("without a schema, and without a result, nothing is checked", async () => {
  const end = failed("failed", "tool.threw", "no");
  const deps = depsWith(() => Promise.reject(new Error("was asked")));
  expect(await judgeOutput(deps, { outputSchema: null }, K, GOOD, GOOD)).toBe(GOOD);
  expect(await judgeOutput(deps, SCHEMA, K, end, end)).toBe(end);
  expect(deps.reported).toEqual([]);
});

test("a result that does not match ends the run with the places, and is not kept", async () => {
  expect(await judgeOutput(faulty(2), SCHEMA, K, GOOD, GOOD)).toEqual({
    status: "failed",
    result: null,
    error: {
      code: "tool.output_invalid",
      message:
        "The result does not match the tool's output schema: result.f0: is required; result.f1: is required.",
    },
  });
});

test("the message is bounded however many faults there are and however long they are", async () => {
  const many = await judgeOutput(faulty(20), SCHEMA, K, GOOD, GOOD);
  expect(many.error?.message).toMatch(/result\.f4: is required; and 15 more\.$/);
  const long = await judgeOutput(faulty(20, "x".repeat(5_000)), SCHEMA, K, GOOD, GOOD);
  expect(long.error?.message.length).toBeLessThan(1_600);
});

test("a result that could not be checked does not pass as checked", async () => {
  const deps = depsWith(() => Promise.reject(new Error("no thread")));
  const end = await judgeOutput(deps, SCHEMA, K, GOOD, GOOD);
  expect(end.error?.code).toBe("tool.output_invalid");
  expect(deps.reported).toEqual(["checking a result failed"]);
});

test("of content it is the data that is checked, and of an output what the model gets", async () => {
  const checked: Json[] = [];
  const schemas = {
    checkResult: (_tenant: string, _key: string, _schema: object, result: Json) => {
      checked.push(result);
      return Promise.resolve([]);
    },
  };
  const content = { $bulkhead: "content", content: [{ type: "json", json: { a: 1 } }] };
  for (const result of [content, { $bulkhead: "output", forLLM: content, forUser: "b" }, { a: 1 }]) {
    const judged: Judged = { ...GOOD, result };
    expect(await judgeOutput({ schemas, report: () => undefined }, SCHEMA, K, judged, judged)).toBe(judged);
  }
  expect(checked).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
});

test("of a result that holds secrets it is not told where it does not match", async () => {
  const covered: Judged = { ...GOOD, result: { a: "[REDACTED]" } };
  expect(await judgeOutput(faulty(0), SCHEMA, K, GOOD, covered)).toBe(covered);
  const { error } = await judgeOutput(faulty(2), SCHEMA, K, GOOD, covered);
  expect(error?.code).toBe("tool.output_invalid");
  expect(error?.message).not.toContain("f0");
});
