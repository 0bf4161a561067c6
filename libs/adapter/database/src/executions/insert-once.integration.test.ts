import type { NewExecution } from "@bulkhead/domain";
import { describe, expect, test } from "vitest";
import { sampleExecution } from "../fixtures/samples.ts";
import { one, other, testDatabase, useTwoStores } from "../fixtures/two-stores.ts";

useTwoStores();

const call = (tenantId: string, key: string, bodyHash = "same") => ({
  execution: sampleExecution(tenantId),
  once: { key, bodyHash },
});
const isThere = async (execution: NewExecution) => (await one.executions.find(execution)) !== null;

test("of fifty calls with one key in two processes, one is inserted and the others learn which", async () => {
  const calls = Array.from({ length: 50 }, () => call("ten_a", "k1"));
  const outcomes = await Promise.all(
    calls.map(async (each, i) => (await (i % 2 ? one : other).executions.insertOnce([each]))[0]),
  );
  const inserted = calls.filter((_, i) => outcomes[i]?.outcome === "inserted");
  expect(inserted).toHaveLength(1);
  const executionId = inserted[0]?.execution.executionId;
  const known = outcomes.filter((outcome) => outcome?.outcome === "known");
  expect(known).toEqual(
    Array.from({ length: 49 }, () => ({ outcome: "known", executionId, sameBody: true })),
  );
  const there = await Promise.all(calls.map(({ execution }) => isThere(execution)));
  expect(there.filter(Boolean)).toHaveLength(1);
});

test("the same key with another body is told apart, and another tenant's key is another key", async () => {
  await one.executions.insertOnce([call("ten_b", "k")]);
  expect(await one.executions.insertOnce([call("ten_b", "k", "other")])).toMatchObject([
    { outcome: "known", sameBody: false },
  ]);
  expect(await one.executions.insertOnce([call("ten_c", "k", "other")])).toEqual([{ outcome: "inserted" }]);
  expect(await one.executions.findByKey("ten_b", { key: "k", bodyHash: "same" })).toMatchObject({
    sameBody: true,
  });
  expect(await one.executions.findByKey("ten_d", { key: "k", bodyHash: "same" })).toBeNull();
});

test("a batch inserts what is new and names what is known, in order", async () => {
  const known = call("ten_e", "k1");
  await one.executions.insertOnce([known]);
  const batch = [call("ten_e", "k0"), call("ten_e", "k1"), call("ten_e", "k2"), call("ten_e", "k2")];
  const outcomes = await other.executions.insertOnce(batch);
  expect(outcomes).toEqual([
    { outcome: "inserted" },
    { outcome: "known", executionId: known.execution.executionId, sameBody: true },
    { outcome: "inserted" },
    { outcome: "known", executionId: batch[2]?.execution.executionId, sameBody: true },
  ]);
});

test("a row that can't be stored leaves no key behind", async () => {
  const bad = call("ten_f", "k");
  bad.execution.traceId = "a\u0000b";
  await expect(one.executions.insertOnce([bad])).rejects.toThrow();
  expect(await one.executions.insertOnce([call("ten_f", "k")])).toEqual([{ outcome: "inserted" }]);
});

describe("when its hours are over", () => {
  test("a key is free again, and is forgotten by the housekeeping", async () => {
    const first = call("ten_g", "k");
    await one.executions.insertOnce([first, call("ten_g", "forgotten")]);
    await testDatabase.execute(
      "UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE tenant_id = 'ten_g'",
    );
    expect(await one.executions.findByKey("ten_g", first.once)).toBeNull();
    expect(await one.executions.insertOnce([call("ten_g", "k")])).toEqual([{ outcome: "inserted" }]);
    expect(await one.executions.dropOldKeys(100)).toBe(1);
    expect(await one.executions.dropOldKeys(100)).toBe(0);
  });
});
