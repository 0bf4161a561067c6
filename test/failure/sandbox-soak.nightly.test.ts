import { leakCheck } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { soak } from "../load/soak-run.ts";
import { faultsOf } from "../load/soak-verdict.ts";

leakCheck();

test("two thousand runs of mixed tools, with deaths among them, leave memory flat and nothing behind", async () => {
  const result = await soak({ runsMax: 2_000, msMax: 540_000 });
  expect(faultsOf(result)).toEqual([]);
  expect(result.runs).toBe(2_000);
  expect(result.deaths).toBeGreaterThan(20);
});
