import { newTenantId, type Admission } from "@bulkhead/core";
import { until } from "@bulkhead/testing";
import { expect } from "vitest";
import { nameOf } from "../model/waiting.ts";
import { admission, admissions, limited } from "./calls.ts";
import { ORDER_PROMISES } from "./order-promises.ts";
import { PREDICTION_PROMISES } from "./prediction-promises.ts";
import { capped, hasTaken, hasTakenOnly, type Promised } from "./promised.ts";

/** The promises concern turns and reservations. */
export const PROMISES: Promised[] = [
  {
    name: "what meets an idle dispatcher is handed out by its admission",
    slots: 4,
    check: async (under) => {
      const all = admissions(2);
      await under.queue.admit(all);
      await hasTaken(under, all);
    },
  },
  {
    name: "a tenant at its cap waits, and a release hands its room on",
    slots: 4,
    check: async (under) => {
      const [first, second, third] = admissions(3, { current: capped(2) }) as [
        Admission,
        Admission,
        Admission,
      ];
      await under.queue.admit([first, second, third]);
      await hasTakenOnly(under, [first, second]);
      await under.finish(first, 10);
      await hasTaken(under, [first, second, third]);
    },
  },
  {
    name: "within a tenant the higher priority goes first, then who came first",
    slots: 4,
    check: async (under) => {
      const tenantId = newTenantId();
      const of = (priority: number) => admission(tenantId, { priority, current: capped(1) });
      const [running, low, high, higher, high2] = [of(0), of(0), of(5), of(9), of(5)] as const;
      await under.queue.admit([running]);
      await under.queue.admit([low, high, higher, high2]);
      for (const next of [running, higher, high, high2, low]) {
        await until(() => under.taken.at(-1) === nameOf(next), { what: "the next is taken" });
        await under.finish(next, 10);
      }
      expect(under.taken).toHaveLength(5);
    },
  },
  {
    name: "a newcomer stands behind nobody's flood",
    slots: 1,
    check: async (under) => {
      const flood = admissions(10);
      const [quiet] = admissions(1) as [Admission];
      await under.queue.admit(flood);
      await under.queue.admit([quiet]);
      for (const next of flood.slice(0, 2)) {
        await until(() => under.taken.includes(nameOf(next)), { what: "the next is taken" });
        await under.finish(next, 100);
      }
      await until(() => under.taken.length >= 3, { what: "three are taken" });
      expect(under.taken).toContain(nameOf(quiet));
    },
  },
  {
    name: "a raised cap holds in the step that raises it, an older one changes nothing",
    slots: 8,
    check: async (under) => {
      const all = admissions(4, { current: capped(1, 5) });
      await under.queue.admit(all);
      const { tenantId } = all[0] as Admission;
      await under.queue.setLimits(tenantId, capped(4, 4));
      await hasTakenOnly(under, all.slice(0, 1));
      await under.queue.setLimits(tenantId, capped(3, 6));
      await hasTaken(under, all.slice(0, 3));
    },
  },
  {
    name: "a full tool stands in nobody's way",
    slots: 8,
    check: async (under) => {
      const tenantId = newTenantId();
      const tool = { id: "tool_0000000000000001", maxConcurrent: 1 };
      const [first, second] = admissions(2, { tool }, tenantId) as [Admission, Admission];
      const other = admission(tenantId);
      await under.queue.admit([first, second, other]);
      await hasTakenOnly(under, [first, other]);
      await under.finish(first, 10);
      await hasTaken(under, [first, other, second]);
    },
  },
  {
    name: "a burst starts at once, what is over waits, and the rate lets it through in time",
    slots: 8,
    check: async (under) => {
      const all = admissions(4, { current: limited({ executionsPerSecond: 5, executionBurst: 2 }) });
      const began = Date.now();
      await under.queue.admit(all);
      await until(() => under.taken.length >= 2, { what: "the burst is taken" });
      const tick = async (): Promise<boolean> => {
        await under.queue.dispatch();
        return under.taken.length === 4;
      };
      await until(tick, { what: "the rate let all through" });
      // Two beyond the burst, 200 ms apart: never earlier.
      expect(Date.now() - began).toBeGreaterThanOrEqual(395);
    },
  },
  {
    name: "a delay is waited for and then takes its turn",
    slots: 8,
    check: async (under) => {
      const [late] = admissions(1, { delayMs: 150 }) as [Admission];
      const began = Date.now();
      await under.queue.admit([late]);
      await until(
        async () => {
          await under.queue.dispatch();
          return under.taken.length === 1;
        },
        { what: "the delay is over" },
      );
      expect(Date.now() - began).toBeGreaterThanOrEqual(145);
    },
  },
  {
    name: "admitting and releasing again changes nothing",
    slots: 8,
    check: async (under) => {
      const all = admissions(3, { current: capped(2) });
      const [first] = all as [Admission];
      await under.queue.admit(all);
      await under.queue.admit(all);
      await hasTakenOnly(under, all.slice(0, 2));
      await under.finish(first, 10);
      await under.queue.release(first, 10);
      await under.queue.release(first, null);
      await hasTakenOnly(under, all);
    },
  },
  {
    name: "what is released while it waits is never handed out",
    slots: 8,
    check: async (under) => {
      const all = admissions(3, { current: capped(1) });
      const [first, gone, last] = all as [Admission, Admission, Admission];
      await under.queue.admit(all);
      await under.queue.release(gone, null);
      await hasTakenOnly(under, [first]);
      await under.finish(first, 10);
      await hasTakenOnly(under, [first, last]);
      expect(await under.queue.missing([gone, last])).toEqual([
        expect.objectContaining({ executionId: gone.executionId }),
      ]);
    },
  },
  {
    name: "what ended from outside keeps the slot of a worker that has it, until that worker releases it",
    slots: 8,
    check: async (under) => {
      const [taken, waits, last] = admissions(3, { current: capped(1) }) as [Admission, Admission, Admission];
      await under.queue.admit([taken, waits, last]);
      await hasTakenOnly(under, [taken]);
      await under.queue.release(taken, "unless_taken");
      await hasTakenOnly(under, [taken]);
      // Nobody has this one.
      await under.queue.release(waits, "unless_taken");
      await under.finish(taken, 10);
      await hasTakenOnly(under, [taken, last]);
    },
  },
  {
    name: "reservations are bounded by the cap and the longest backlog, and come back",
    slots: 8,
    check: async ({ queue }) => {
      const tenantId = newTenantId();
      const current = limited({ maxConcurrentExecutions: 2, maxQueuedExecutions: 1 });
      const executionIds = ["a", "b", "c", "d"];
      const wanted = { tenantId, executionIds, current, timeoutMs: 60_000, priority: 4 };
      expect(await queue.reserve(wanted)).toMatchObject({ accepted: 3, refusedFor: "backlog", waiting: 3 });
      await queue.release({ tenantId, executionId: "a", attempt: 1 }, null);
      expect(await queue.reserve({ ...wanted, executionIds: ["b", "d", "e"] })).toMatchObject({
        accepted: 2,
      });
    },
  },
  {
    name: "who could not start in time gets no reservation, with the least wait",
    slots: 8,
    check: async ({ queue }) => {
      const current = limited({ executionsPerSecond: 1, executionBurst: 1, maxQueuedExecutions: 100 });
      const wanted = {
        tenantId: newTenantId(),
        executionIds: ["a", "b", "c", "d"],
        current,
        timeoutMs: 2_500,
        priority: 4,
      };
      const reserved = await queue.reserve(wanted);
      expect(reserved).toMatchObject({ accepted: 3, refusedFor: "deadline" });
      expect(reserved.waitMs).toBeGreaterThan(2_500);
    },
  },
  {
    name: "without a worker nothing is handed out",
    slots: 0,
    check: async (under) => {
      const [waiting] = admissions(1) as [Admission];
      await under.queue.admit([waiting]);
      await hasTakenOnly(under, []);
      expect(await under.queue.missing([waiting])).toEqual([]);
    },
  },
  ...ORDER_PROMISES,
  ...PREDICTION_PROMISES,
];
