import { newTenantId, type Reservation } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { expect } from "vitest";
import { nameOf } from "../model/waiting.ts";
import { admission, admissions } from "./calls.ts";
import { capped, type Promised } from "./promised.ts";
import type { QueueUnderTest } from "./queue-under-test.ts";

const current = capped(1);

/** Runs one after the other that took so long each. */
async function run(under: QueueUnderTest, tenantId: string, usedMs: number[]): Promise<void> {
  for (const used of usedMs) {
    const one = admission(tenantId, { current });
    await under.queue.admit([one]);
    await until(() => under.taken.at(-1) === nameOf(one), { what: "it is taken" });
    await under.finish(one, used);
  }
}

const ask = ({ queue }: QueueUnderTest, tenantId: string, timeoutMs: number): Promise<Reservation> =>
  queue.reserve({ tenantId, executionIds: ["a"], current, timeoutMs, priority: 4 });

const times = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

/** One runs and so many less one wait, at a cap of 1. */
const fill = (under: QueueUnderTest, tenantId: string, count: number): Promise<void> =>
  under.queue.admit(admissions(count, { current }, tenantId));

/** What is refused for its deadline by what the tenant's runs took, and what is not. */
export const PREDICTION_PROMISES: Promised[] = [
  {
    name: "two known runs predict nothing",
    slots: 8,
    check: async (under) => {
      const tenantId = newTenantId();
      await run(under, tenantId, times(2, 500));
      await fill(under, tenantId, 30);
      expect(await ask(under, tenantId, 1)).toMatchObject({ accepted: 1 });
    },
  },
  ...[3, 8, 11].map((known) => ({
    name: `${known} runs of 500 ms vouch for more than half of what 29 waiting ones take, and for no more than all`,
    slots: 8,
    check: async (under: QueueUnderTest) => {
      const tenantId = newTenantId();
      await run(under, tenantId, times(known, 500));
      await fill(under, tenantId, 30);
      const { accepted, refusedFor, waitMs } = await ask(under, tenantId, 2_000);
      expect({ accepted, refusedFor }).toEqual({ accepted: 0, refusedFor: "deadline" });
      expect(waitMs).toBeGreaterThan(known > 10 ? 9_000 : 7_250);
      expect(waitMs).toBeLessThan(14_500);
      expect(await ask(under, tenantId, 14_500)).toMatchObject({ accepted: 1 });
    },
  })),
  {
    name: "runs that take turns at 50 ms and 1 s refuse what is hopeless, and no more than that",
    slots: 8,
    check: async (under) => {
      const tenantId = newTenantId();
      await run(under, tenantId, [50, 1_000, 50, 1_000, 50, 1_000, 50, 1_000]);
      await fill(under, tenantId, 41);
      // 21 s by their mean.
      expect(await ask(under, tenantId, 2_000)).toMatchObject({ refusedFor: "deadline" });
      expect(await ask(under, tenantId, 15_000)).toMatchObject({ accepted: 1 });
    },
  },
  {
    name: "one long run among short ones refuses nobody",
    slots: 8,
    check: async (under) => {
      const tenantId = newTenantId();
      await run(under, tenantId, [5, 5, 5, 5, 5, 3_000, 5, 5]);
      await fill(under, tenantId, 31);
      expect(await ask(under, tenantId, 500)).toMatchObject({ accepted: 1 });
    },
  },
  {
    name: "what has become short is believed after some runs",
    slots: 8,
    check: async (under) => {
      const tenantId = newTenantId();
      await run(under, tenantId, [...times(20, 1_000), ...times(10, 5)]);
      await fill(under, tenantId, 31);
      expect(await ask(under, tenantId, 1_000)).toMatchObject({ accepted: 1 });
    },
  },
];
