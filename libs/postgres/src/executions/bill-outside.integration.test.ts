import type { LateBill } from "@bulkhead/core";
import { expect, test } from "vitest";
import { sampleExecution, started, stored, SUCCESS } from "../fixtures/samples.ts";
import { database, useStores } from "../fixtures/stores.ts";

useStores();

const BILL: LateBill = {
  usage: { cpuMs: 120, wallMs: 150, memoryPeakMib: 3.5, networkRequests: 2 },
  timings: { dwell: 1, claim: 2, bind: 3, run: 150 },
  endedBy: "worker",
};
const CANCELLED = {
  status: "cancelled",
  error: { code: "execution.cancelled", message: "The execution was cancelled." },
} as const;
const begun = async () => {
  const { tenantId, toolId } = await stored(database);
  return started(database, sampleExecution(tenantId, { toolId }));
};
const bill = (key: Awaited<ReturnType<typeof begun>>, late = BILL) =>
  database.executions.billOutside(key, late);

test("an execution that was ended from outside is billed what its holder saw, and keeps its end", async () => {
  const key = await begun();
  const ended = await database.executions.endFromOutside(key, CANCELLED);
  expect(ended).toMatchObject({ endedBy: null, usage: { cpuMs: 0 } });
  expect(Object.keys(ended?.timings ?? {})).toEqual(["dwell", "run"]);
  expect(await bill(key)).toBe(true);
  expect(await database.executions.find(key)).toEqual({ ...ended, ...BILL });
});

test("it is billed once", async () => {
  const key = await begun();
  await database.executions.endFromOutside(key, CANCELLED);
  const usage = { ...BILL.usage, cpuMs: 999 };
  expect([await bill(key), await bill(key, { ...BILL, usage })]).toEqual([true, false]);
  expect(await database.executions.find(key)).toMatchObject({ usage: BILL.usage });
});

test("nobody is billed for another attempt, tenant, or an execution that goes on", async () => {
  const key = await begun();
  expect(await bill(key)).toBe(false);
  await database.executions.endFromOutside(key, CANCELLED);
  expect(await bill({ ...key, attempt: 2 })).toBe(false);
  expect(await bill({ ...key, tenantId: "ten_0000000000000000" })).toBe(false);
  expect(await database.executions.find(key)).toMatchObject({ usage: { cpuMs: 0 }, endedBy: null });
});

test("what its holder ended itself is not billed again", async () => {
  const key = await begun();
  await database.executions.finish(key, SUCCESS, "1-3");
  expect(await bill(key)).toBe(false);
  expect(await database.executions.find(key)).toMatchObject({ usage: SUCCESS.usage });
});

test("what was ended while it waited for another try is not billed to the try before", async () => {
  const key = await begun();
  await database.executions.handBack(key);
  await database.executions.endFromOutside(key, CANCELLED);
  expect(await bill(key)).toBe(false);
});
