import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TENANT_LIMITS_DEFAULT, TENANT_LIMITS_MAX } from "../limit/limits.ts";
import { loadOf, type QueueFacts } from "./tenant-load.ts";

const NOW = 1_800_000_000_000;
const IDLE: QueueFacts = {
  tenantId: "ten_1",
  at: new Date(NOW),
  backlog: 0,
  delayed: 0,
  parked: 0,
  inflight: 0,
  competes: false,
  weights: 0,
  slots: 8,
  tat: 0,
  runs: 15,
  meanMs: 100,
};
const limits = (more: Partial<typeof TENANT_LIMITS_DEFAULT> = {}) => ({
  ...TENANT_LIMITS_DEFAULT,
  maxConcurrentExecutions: 4,
  ...more,
});
const waitOf = (facts: Partial<QueueFacts>, more = {}) =>
  loadOf({ ...IDLE, ...facts }, limits(more)).predictedWaitMs;

test("an idle tenant waits for nothing, and has all of the workers' time", () => {
  expect(loadOf(IDLE, limits())).toEqual({
    queued: 0,
    running: 0,
    limit: 4,
    weight: 1,
    share: 1,
    throttledUntil: null,
    predictedWaitMs: 0,
  });
});

test("what waits is all that is accepted and has no slot", () => {
  expect(loadOf({ ...IDLE, backlog: 3, delayed: 2, parked: 1, inflight: 4 }, limits())).toMatchObject({
    queued: 6,
    running: 4,
  });
});

test("a share is the weight among those that compete, itself counted once", () => {
  const weighty = limits({ weight: 3 });
  expect(loadOf({ ...IDLE, weights: 9 }, weighty).share).toBe(0.25);
  expect(loadOf({ ...IDLE, weights: 12, competes: true }, weighty).share).toBe(0.25);
  expect(loadOf({ ...IDLE, weights: 2, competes: true }, weighty).share).toBe(1);
});

describe("a wait is", () => {
  test("what lies ahead, over the tenant's slots, by the mean of its runs", () => {
    expect(waitOf({ inflight: 3 })).toBe(0);
    expect(waitOf({ inflight: 4 })).toBe(25);
    expect(waitOf({ inflight: 4, backlog: 7 })).toBe(200);
    expect(waitOf({ inflight: 4, backlog: 7, weights: 8, competes: true })).toBe(1_100);
    expect(waitOf({ inflight: 4, backlog: 7, delayed: 90, parked: 90 })).toBe(200);
  });

  test("as long as its rate says, where that is longer", () => {
    const slow = { executionsPerSecond: 10, executionBurst: 1 };
    expect(waitOf({ tat: NOW + 250 }, slow)).toBe(250);
    expect(waitOf({ tat: NOW + 250, backlog: 5, inflight: 4 }, slow)).toBe(750);
    expect(loadOf({ ...IDLE, tat: NOW + 250 }, limits(slow)).throttledUntil).toEqual(new Date(NOW + 250));
    expect(waitOf({ tat: NOW + 250 }, { ...slow, executionBurst: 4 })).toBe(0);
  });

  test("unknown without a worker, and where too few runs are known to tell", () => {
    expect(waitOf({ slots: 0 })).toBeNull();
    expect(waitOf({ inflight: 4, runs: 2 })).toBeNull();
    expect(waitOf({ inflight: 3, runs: 0 })).toBe(0);
  });

  test("never negative, and never shorter where more waits", () => {
    const count = fc.nat(1_000_000);
    const facts = fc.record({
      backlog: count,
      inflight: fc.nat(10_000),
      weights: fc.nat(1_000_000),
      slots: fc.integer({ min: 1, max: 10_000 }),
      competes: fc.boolean(),
      tat: fc.integer({ min: 0, max: NOW + 1_000_000 }),
      meanMs: fc.double({ min: 0, max: 3_600_000, noNaN: true }),
    });
    fc.assert(
      fc.property(facts, count, fc.integer({ min: 1, max: 1_000 }), (some, more, weight) => {
        const given = limits({ weight, maxConcurrentExecutions: TENANT_LIMITS_MAX.maxConcurrentExecutions });
        const { share, predictedWaitMs } = loadOf({ ...IDLE, ...some }, given);
        const later = loadOf({ ...IDLE, ...some, backlog: some.backlog + more }, given).predictedWaitMs;
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThanOrEqual(1);
        expect(predictedWaitMs).toBeGreaterThanOrEqual(0);
        expect(later).toBeGreaterThanOrEqual(predictedWaitMs ?? Number.NaN);
      }),
    );
  });
});
