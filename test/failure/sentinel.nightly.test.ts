import { leakCheck, startRedisSentinel, type TestRedisSentinel } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { FOUND_AGAIN_MS, type FaultRow } from "./support/matrix/row.ts";
import { runRow } from "./support/matrix/run-row.ts";
import { openFleet, type Fleet } from "./support/rig/fleet.ts";

leakCheck();

const ROW_MS_MAX = 300_000;
const START_MS_MAX = 120_000;

let group: TestRedisSentinel;
let fleet: Fleet;
beforeAll(async () => {
  group = await startRedisSentinel({ replicas: 2 });
  fleet = await openFleet({ apis: 1, workers: 2, redisUrl: group.url });
}, START_MS_MAX);
afterAll(async () => {
  await fleet?.close();
  await group?.close();
}, START_MS_MAX);

// A replica may lack the last that its master had taken: then a log has a gap, which is told.
const bounds = { logsLost: true, effectMsMax: FOUND_AGAIN_MS };

const ROWS: FaultRow<Fleet>[] = [
  {
    name: "kill -9 of the master",
    bounds,
    strike: async () => void (await group.failOver()),
  },
  {
    name: "kill -9 of the next master, after which the one before comes back",
    bounds,
    strike: async () => {
      // It is a master beside the other until the Sentinels make it a replica: nothing may go to it, then or later.
      await (await group.failOver()).startAgain();
    },
  },
];

test.each(ROWS.map((row, at) => ({ row, name: row.name, at })))(
  "$name: the Sentinels make another one, nothing is lost, each execution ends once",
  async ({ row, at }) => {
    onTestFailed(() => void process.stderr.write(`${fleet.logs()}\n`));
    const { faults, seen } = await runRow(fleet, row, `s${at}`, at + 1);
    process.stdout.write(`${row.name}: ${seen}\n`);
    expect(faults).toEqual([]);
  },
  ROW_MS_MAX,
);
