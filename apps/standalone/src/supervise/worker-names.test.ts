import { expect, test } from "vitest";
import { WorkerNames } from "./worker-names.ts";

test("each start has a name of its own and is told of those before it, the last ones first", () => {
  const names = new WorkerNames();
  const starts = Array.from({ length: 30 }, () => names.next());
  const all = starts.map(({ BULKHEAD_WORKER_ID }) => BULKHEAD_WORKER_ID);
  expect(new Set(all).size).toBe(30);
  expect(starts[0]?.BULKHEAD_DEAD_WORKERS).toBe("");
  expect(starts[2]?.BULKHEAD_DEAD_WORKERS).toBe(`${all[1]},${all[0]}`);
  expect(starts[29]?.BULKHEAD_DEAD_WORKERS).toBe(all.slice(9, 29).toReversed().join(","));
});
