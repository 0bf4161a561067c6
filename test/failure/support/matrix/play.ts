import { leakCheck, openTestDatabase } from "@bulkhead/testing";
import { afterAll, beforeAll, expect, onTestFailed, test } from "vitest";
import { openOwnPostgres } from "../rig/own-postgres.ts";
import { openRig, type OpenRigDatabase, type Rig, type RigDatabase } from "../rig/rig.ts";
import type { FaultRow, WorkerRig } from "./row.ts";
import { runRow } from "./run-row.ts";

/** One row, with everything that heals by lease and by sweep. */
const ROW_MS_MAX = 300_000;
const RIG_MS_MAX = 120_000;

/** Makes a test of each row; all rows of a file share one rig, one after the other, each with a tenant of its own. */
export const playRows = (rows: readonly FaultRow[]): void => play(rows, openOwnPostgres);

/** The same for rows that do no harm to PostgreSQL: a database of the one that tests share will do. */
export const playWorkerRows = (rows: readonly FaultRow<WorkerRig>[]): void => play(rows, openTestDatabase);

function play<P extends RigDatabase>(
  rows: readonly FaultRow<Rig<P>>[],
  openDatabase: OpenRigDatabase<P>,
): void {
  leakCheck();
  let rig: Rig<P> | undefined;
  beforeAll(async () => {
    rig = await openRig(openDatabase);
  }, RIG_MS_MAX);
  afterAll(() => rig?.close(), RIG_MS_MAX);

  test.each(rows.map((row, at) => ({ row, name: row.name, at })))(
    "$name: nothing is lost, nothing happens twice, every end is one",
    async ({ row, at }) => {
      if (!rig) throw new Error("there is no rig");
      const { product } = rig;
      onTestFailed(() => void process.stderr.write(`${product.logs()}\n`));
      const { faults, seen } = await runRow(rig, row, `r${at}`, at + 1);
      process.stdout.write(`${row.name}: ${seen}\n`);
      expect(faults).toEqual([]);
    },
    ROW_MS_MAX,
  );
}
