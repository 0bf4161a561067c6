import { leakCheck, openTestRedis, type TestRedis } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import type { FaultRow } from "./support/matrix/row.ts";
import { runRow } from "./support/matrix/run-row.ts";
import { openFleet, type Fleet } from "./support/rig/fleet.ts";

leakCheck();

const ROW_MS_MAX = 300_000;
const START_MS_MAX = 120_000;
const SIZE = { apis: 3, workers: 3 };

let redis: TestRedis;
let fleet: Fleet;
beforeAll(async () => {
  redis = await openTestRedis();
  fleet = await openFleet({ ...SIZE, redisUrl: redis.url });
}, START_MS_MAX);
afterAll(async () => {
  await fleet?.close();
  await redis?.close();
}, START_MS_MAX);

const ROLLING: FaultRow<Fleet> = {
  name: "a rolling restart of three APIs and three workers",
  strike: async ({ rig, afterwards }) => {
    for (let at = 0; at < rig.size.apis; at += 1) await rig.restartApi(at);
    const old = rig.workers();
    for (const worker of old) {
      await rig.startWorker();
      await worker.stop();
    }
    afterwards(() =>
      Promise.resolve([
        ...rig.calls.flatMap((calls, at) => (calls === 0 ? [`API ${at} was never called`] : [])),
        ...(rig.workers().length === SIZE.workers ? [] : [`${rig.workers().length} workers are left`]),
        ...(rig.workers().some((worker) => old.includes(worker)) ? ["an old worker is left"] : []),
      ]),
    );
  },
};

test(
  "a rolling restart of all APIs and workers under load loses nothing, and each execution ends once",
  async () => {
    onTestFailed(() => void process.stderr.write(`${fleet.logs()}\n`));
    const { faults, seen } = await runRow(fleet, ROLLING, "many", 1);
    process.stdout.write(`${ROLLING.name}: ${seen}\n`);
    expect(faults).toEqual([]);
  },
  ROW_MS_MAX,
);
