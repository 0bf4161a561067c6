import type { TypeStripper } from "@bulkhead/core";
import { everyNth, leakCheck } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openTypeStripper } from "./type-stripper.ts";

leakCheck();

const TENANT = "ten_1";
let stripper: TypeStripper;
// Time is not what is tested here, and the machine may be busy.
beforeAll(() => void (stripper = openTypeStripper({ stripMsMax: 10_000 })));
afterAll(() => stripper.close());

/** Asks again while the service is not available: on a busy machine a thread's start may take longer than a text may wait. */
const strip = (code: string) =>
  vi.waitFor(() => stripper.strip(TENANT, code), { timeout: 20_000, interval: 20 });

const GOOD = "return 1 as number;";
const STRIPPED = { ok: true, code: "return 1          ;" };

const HOSTILE: [what: string, code: string][] = [
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
];

test.each(everyNth(HOSTILE, 5))("a hostile text costs no more than its thread: %s", async (_what, code) => {
  const outcome = await strip(code);
  // Some of them are good TypeScript after all.
  if (!outcome.ok) expect(outcome.fault.message).toMatch(/\.$/);
  expect(await strip(GOOD)).toEqual(STRIPPED);
});

test("good texts are stripped while hostile ones are", async () => {
  const hostile = { areDone: false };
  const refuseSome = async () => {
    for (let n = 0; n < 2; n += 1) expect((await strip("(".repeat(100_000))).ok).toBe(false);
  };
  const refused = refuseSome().finally(() => (hostile.areDone = true));
  for (let n = 0; n < 20 || !hostile.areDone; n += 1) expect(await strip(GOOD)).toEqual(STRIPPED);
  await refused;
});

test("a closed stripper says that the service is not available", async () => {
  const closed = openTypeStripper();
  await closed.close();
  await expect(closed.strip(TENANT, GOOD)).rejects.toMatchObject({ code: "service.unavailable" });
});
