import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cleanUpOften, sweepDataOften, type CleanupDeps } from "./sweeper.ts";

/** A cleanup runs at the end of each hour, which is a little uneven; this is beyond it. */
const HOUR_MS = 1.2 * 3_600_000;
const MINUTE_MS = 60_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A store with so much left to delete, and the calls that were made, in order. */
function fillStore({ keys = 0, entries = 0, logs = 0, chunks = 0, partitionsFail = false } = {}) {
  const said: string[] = [];
  const reports: string[] = [];
  const take = (left: number, max: number): number => Math.min(left, max);
  let [keysLeft, entriesLeft, logsLeft, chunksLeft] = [keys, entries, logs, chunks];
  const deps: CleanupDeps = {
    executions: {
      ensurePartitions: async () => {
        said.push("partitions are made");
        if (partitionsFail) throw new Error("no Postgres");
      },
      dropOldExecutions: async (days) => {
        said.push(`executions of ${days} days are dropped`);
        return 0;
      },
      dropOldKeys: async (max) => {
        const dropped = take(keysLeft, max);
        keysLeft -= dropped;
        return dropped;
      },
    },
    files: {
      sweep: async (max) => {
        const dropped = take(chunksLeft, max);
        chunksLeft -= dropped;
        return dropped;
      },
    },
    auditEntries: {
      dropOld: async (_days, max) => {
        const dropped = take(entriesLeft, max);
        entriesLeft -= dropped;
        return dropped;
      },
    },
    logs: {
      dropOld: async (max) => {
        const dropped = take(logsLeft, max);
        logsLeft -= dropped;
        return dropped;
      },
    },
    report: (what) => void reports.push(what),
    retentionDays: 90,
    auditRetentionDays: 400,
  };
  return {
    deps,
    said,
    reports,
    left: () => ({ keys: keysLeft, entries: entriesLeft, logs: logsLeft, chunks: chunksLeft }),
  };
}

test("a worker makes the coming weeks' partitions and drops what is past its retention, every hour", async () => {
  const store = fillStore();
  const cleanup = cleanUpOften(store.deps);
  expect(store.said).toEqual([]);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  await cleanup.close();
  expect(store.said).toEqual(["partitions are made", "executions of 90 days are dropped"]);
  expect(store.reports).toEqual([]);
});

test("old keys, audit entries, logs and pieces of files go in as many steps as it takes", async () => {
  const store = fillStore({ keys: 12_000, entries: 5_001, logs: 3_500, chunks: 1_001 });
  const cleanup = cleanUpOften(store.deps);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  await cleanup.close();
  expect(store.left()).toEqual({ keys: 0, entries: 0, logs: 0, chunks: 0 });
});

test("what fails is reported, and keeps none of the others from being done", async () => {
  const store = fillStore({ partitionsFail: true, keys: 1, entries: 1, logs: 1, chunks: 1 });
  const cleanup = cleanUpOften(store.deps);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  await cleanup.close();
  expect(store.said).toEqual(["partitions are made", "executions of 90 days are dropped"]);
  expect(store.left()).toEqual({ keys: 0, entries: 0, logs: 0, chunks: 0 });
  expect(store.reports).toHaveLength(1);
});

test("custom data that has ended goes every minute, in as many steps as it takes", async () => {
  let left = 2_500;
  const steps: number[] = [];
  const sweep = async (atOnce: number): Promise<number> => {
    const swept = Math.min(left, atOnce);
    left -= swept;
    steps.push(swept);
    return swept;
  };
  const sweeping = sweepDataOften({ data: { sweep }, report: () => undefined });
  await vi.advanceTimersByTimeAsync(MINUTE_MS + MINUTE_MS / 5);
  await sweeping.close();
  expect(steps).toEqual([1_000, 1_000, 500]);
});
