import type { ClaimedExecution, ExecutionStore } from "@bulkhead/core";
import type { HandedOut } from "@bulkhead/redis";
import { expect, test } from "vitest";
import { recordingMeter } from "./fixtures/recording-meter.ts";
import { measureWaits } from "./waits.ts";

const PHASE = "bulkhead_execution_phase_seconds";
const DWELL = "bulkhead_dwell_seconds";
const HOUR_MS = 3_600_000;

const storeOf = (claimed: ClaimedExecution | null): Pick<ExecutionStore, "look" | "claim"> => ({
  look: () => Promise.resolve(claimed),
  claim: () => Promise.resolve(claimed),
});

/** One attempt that waited 2 s, as its claim tells it. */
async function claim(tenantId: string, readySince: number | null, startableMs?: number) {
  const { meter, records } = recordingMeter();
  const waits = measureWaits(meter, ["ten_shown"]);
  const attempt: HandedOut = {
    tenantId,
    executionId: "exe_a",
    attempt: 1,
    ...(startableMs !== undefined && { startableMs }),
  };
  const claimed = { ...attempt, queuedMs: 2_000 } as ClaimedExecution;
  const store = waits.measured(storeOf(claimed));
  if (readySince !== null) waits.taken(attempt, readySince);
  expect(await store.claim(attempt, "wrk_a", 1_000)).toBe(claimed);
  return records;
}

test("a wait is told by tenant only for those that the operator named", async () => {
  expect((await claim("ten_shown", Date.now())).get(`${DWELL}{ten_shown}`)).toEqual([2]);
  const others = await claim("ten_hidden", Date.now());
  expect(others.get(`${DWELL}{other}`)).toEqual([2]);
  expect([...others.keys()].join()).not.toContain("ten_");
});

test.each([
  ["an attempt that was ready all the time", () => Date.now() - HOUR_MS, [0], [2]],
  ["one handed out by a clock that is ahead", () => Date.now() + HOUR_MS, [2], [0]],
  ["one that nobody saw taken", () => null, [0], [2]],
])(
  "%s shares its wait between the phases, and the sum is right",
  async (_what, readySince, limits, ready) => {
    const records = await claim("ten_a", readySince());
    expect(records.get(`${PHASE}{limit_wait}`)).toEqual(limits);
    expect(records.get(`${PHASE}{dwell}`)).toEqual(ready);
  },
);

test("the wait that more workers would have shortened is told where the dispatcher watched it", async () => {
  const waitOf = async (startableMs?: number) =>
    (await claim("ten_a", Date.now() + HOUR_MS, startableMs)).get("bulkhead_startable_wait_seconds{}");
  expect(await waitOf()).toBeUndefined();
  expect(await waitOf(0)).toEqual([0]);
  expect(await waitOf(500)).toEqual([0.5]);
  expect(await waitOf(HOUR_MS)).toEqual([2]);
  const inReadyList = await claim("ten_a", Date.now() - HOUR_MS, 500);
  expect(inReadyList.get("bulkhead_startable_wait_seconds{}")).toEqual([2]);
});

test.each([
  ["of a tool, whose claim may follow", "tool_a"],
  ["of no tool, whose claim follows at once", null],
])("a wait %s is told once", async (_, toolId) => {
  const { meter, records } = recordingMeter();
  const attempt = { tenantId: "ten_a", executionId: "exe_a", attempt: 1 };
  const seen = { ...attempt, toolId, queuedMs: 2_000 } as ClaimedExecution;
  const store = measureWaits(meter, []).measured(storeOf(seen));
  await store.look(attempt);
  await store.claim(attempt, "wrk_a", 1_000);
  expect(records.get(`${DWELL}{other}`)).toEqual([2]);
});

test("an attempt that somebody else has is measured by them", async () => {
  const { meter, records } = recordingMeter();
  const store = measureWaits(meter, []).measured(storeOf(null));
  const attempt = { tenantId: "ten_a", executionId: "exe_a", attempt: 1 };
  await store.look(attempt);
  await store.claim(attempt, "wrk_a", 1_000);
  expect([...records]).toEqual([]);
});
