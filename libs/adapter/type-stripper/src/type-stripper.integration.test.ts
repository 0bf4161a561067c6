import type { TypeStripper } from "@bulkhead/domain";
import { leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTypeStripper } from "./type-stripper.ts";

leakCheck();

let stripper: TypeStripper;
beforeAll(() => void (stripper = openTypeStripper({ stripMsMax: 400 })));
afterAll(() => stripper.close());

const GOOD = "return 1 as number;";
const STRIPPED = { ok: true, code: "return 1          ;" };

test.each([
  ["100,000 open brackets", "(".repeat(100_000)],
  ["brackets that close again", `return ${"(".repeat(30_000)}1${")".repeat(30_000)}`],
  ["nested types", `type A = ${"A<".repeat(50_000)}1${">".repeat(50_000)}`],
  ["nested lists", `return ${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ["a chain of assertions", `return 1${" as any".repeat(30_000)}`],
  ["a chain of conditions", `return ${"1?1:".repeat(50_000)}1`],
  ["a chain of conditional types", `type A = ${"A extends B ? 1 : ".repeat(10_000)}1`],
  ["arrows that may be conditions", `return ${"a?(b)=>(".repeat(40)}1${"):1".repeat(40)}`],
  ["generics that may be comparisons", `return ${"<T>(a=".repeat(40)}1${")=>1".repeat(40)}`],
  ["many declarations", Array.from({ length: 16_000 }, (_, n) => `let a${n}: any`).join("\n")],
  ["more than a tool's code may have", "x".repeat(256 * 1024 + 1)],
])("a hostile text costs no more than its thread: %s", async (_what, code) => {
  const outcome = await stripper.strip(code);
  // Some of them are good TypeScript after all.
  if (!outcome.ok) expect(outcome.fault.message).toMatch(/\.$/);
  expect(await stripper.strip(GOOD)).toEqual(STRIPPED);
});

test("good texts are stripped while hostile ones are", async () => {
  const hostile = Array.from({ length: 6 }, () => stripper.strip("(".repeat(100_000)));
  const good = Array.from({ length: 20 }, () => stripper.strip(GOOD));
  expect(await Promise.all(good)).toEqual(Array.from({ length: 20 }, () => STRIPPED));
  for (const outcome of await Promise.all(hostile)) expect(outcome.ok).toBe(false);
});

test("a closed stripper says that the service is not available", async () => {
  const closed = openTypeStripper();
  await closed.close();
  await expect(closed.strip(GOOD)).rejects.toMatchObject({ code: "service.unavailable" });
});
