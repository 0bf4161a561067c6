import type { ReclaimDeps } from "@bulkhead/executions";
import { NO_METER } from "@bulkhead/process/telemetry";
import { until } from "@bulkhead/testing";
import { expect, test } from "vitest";
import { reclaimDeadWorkers } from "./reclaim-dead-workers.ts";

/** A store that is away for so many calls and then has nothing left. */
function open(awayTimes: number) {
  const asked: (readonly string[])[] = [];
  const reports: string[] = [];
  const recoverAttemptsOf: ReclaimDeps["executions"]["recoverAttemptsOf"] = async (workerIds) => {
    asked.push(workerIds);
    if (asked.length <= awayTimes) throw new Error("no Postgres");
    return { requeued: [], lost: [] };
  };
  const report = (what: string): void => void reports.push(what);
  const deps = { executions: { recoverAttemptsOf }, report } as unknown as ReclaimDeps;
  const say = (): never => {
    throw new Error("there was nothing to say");
  };
  return {
    asked,
    reports,
    taking: () => reclaimDeadWorkers(deps, NO_METER, { deadWorkerIds: ["wrk_a"], say }),
  };
}

test("dead workers are asked for at once, and again where a store was away", async () => {
  const { asked, reports, taking } = open(1);
  const one = taking();
  expect(asked).toEqual([["wrk_a"]]);
  await until(() => asked.length === 2, { what: "it is tried again" });
  await one.close();
  expect(asked).toEqual([["wrk_a"], ["wrk_a"]]);
  expect(reports).toHaveLength(1);
});

test("a worker that stops does not wait for a store to come back", async () => {
  const { asked, taking } = open(Number.POSITIVE_INFINITY);
  const one = taking();
  await one.close();
  expect(asked).toHaveLength(1);
});
