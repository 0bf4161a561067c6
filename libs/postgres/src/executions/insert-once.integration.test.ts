import type { NewExecution } from "@bulkhead/core";
import { describe, expect, test } from "vitest";
import { sampleExecution } from "../fixtures/samples.ts";
import { one, other, testDatabase, useTwoStores } from "../fixtures/stores.ts";

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
    Array.from({ length: 49 }, () => ({ outcome: "known", executionId, sameBody: true, isDeleted: false })),
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
    isDeleted: false,
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
    { outcome: "known", executionId: known.execution.executionId, sameBody: true, isDeleted: false },
    { outcome: "inserted" },
    { outcome: "known", executionId: batch[2]?.execution.executionId, sameBody: true, isDeleted: false },
  ]);
});

describe("parts of one request", () => {
  const part = (tenantId: string, key: string, place: number, bodyHash?: string) => {
    const { execution, once } = call(tenantId, `part/${place}/${key}`, bodyHash);
    return { execution, once: { ...once, partOf: key } };
  };

  test("take its key with the first of them: another request under it inserts nothing, whichever parts it brings", async () => {
    const first = part("ten_h", "k", 1);
    expect(await one.executions.insertOnce([first])).toEqual([{ outcome: "inserted" }]);
    const others = [part("ten_h", "k", 0, "other"), part("ten_h", "k", 2, "other")];
    const { executionId } = first.execution;
    const conflict = { outcome: "known", executionId, sameBody: false, isDeleted: false };
    expect(await other.executions.insertOnce(others)).toEqual([conflict, conflict]);
    expect(await Promise.all(others.map(({ execution }) => isThere(execution)))).toEqual([false, false]);
    expect(await one.executions.findByKey("ten_h", others[0]?.once ?? first.once)).toBeNull();
    expect(await one.executions.insertOnce([call("ten_h", "k", "single")])).toEqual([conflict]);
  });

  test("that had no place the first time are inserted by a repeat", async () => {
    const first = part("ten_i", "k", 0);
    await one.executions.insertOnce([first]);
    expect(await other.executions.insertOnce([part("ten_i", "k", 0), part("ten_i", "k", 1)])).toEqual([
      { outcome: "known", executionId: first.execution.executionId, sameBody: true, isDeleted: false },
      { outcome: "inserted" },
    ]);
  });

  test("of two requests with one key at the same moment, one inserts all of its parts and the other none", async () => {
    const requests = ["a", "b"].map((body) => [0, 1, 2].map((place) => part("ten_j", "k", place, body)));
    const [a = [], b = []] = await Promise.all(
      requests.map((parts, i) => (i === 0 ? one : other).executions.insertOnce(parts)),
    );
    const inserted = [...a, ...b].filter(({ outcome }) => outcome === "inserted");
    expect(inserted).toHaveLength(3);
    expect(new Set(a.map(({ outcome }) => outcome)).size).toBe(1);
  });
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
