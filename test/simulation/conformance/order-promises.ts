import { newExecutionId, newTenantId, type Admission } from "@bulkhead/core";
import { admission, admissions } from "./calls.ts";
import { capped, dispatchUntil, hasTaken, hasTakenOnly, type Promised } from "./promised.ts";
import type { QueueUnderTest } from "./queue-under-test.ts";

const current = capped(1);
const again = (before: Admission, more: Partial<Admission> = {}): Admission => ({
  ...before,
  attempt: before.attempt + 1,
  ...more,
});

/** As a retry and a recovery do: the next attempt comes while the slot of the one before is taken. */
async function comeBack(under: QueueUnderTest, before: Admission, more?: Partial<Admission>): Promise<void> {
  await under.queue.admit([again(before, more)]);
  await under.finish(before, 10);
}

/** In which order a tenant's own attempts wait: the cap is 1 in all of these. */
export const ORDER_PROMISES: Promised[] = [
  {
    name: "who comes back waits where its submission put it, however often",
    slots: 4,
    check: async (under) => {
      const [first, second, third] = admissions(3, { current }) as [Admission, Admission, Admission];
      await under.queue.admit([first, second, third]);
      await hasTakenOnly(under, [first]);
      await comeBack(under, first);
      await hasTaken(under, [first, again(first)]);
      await comeBack(under, again(first));
      const thrice = [first, again(first), again(again(first))];
      await hasTaken(under, thrice);
      await under.finish(again(again(first)), 10);
      await hasTakenOnly(under, [...thrice, second]);
      await comeBack(under, second);
      await hasTakenOnly(under, [...thrice, second, again(second)]);
    },
  },
  {
    name: "who comes back with a delay is not ready before it, and then waits where its submission put it",
    slots: 4,
    check: async (under) => {
      const all = admissions(3, { current }) as [Admission, Admission, Admission];
      const [retried, second, third] = all;
      await under.queue.admit(all);
      await hasTaken(under, [retried]);
      // Not over before the slot is given back, however slow the machine is.
      await comeBack(under, retried, { delayMs: 2_000 });
      await hasTaken(under, [retried, second]);
      await dispatchUntil(under, Date.now() + 2_050);
      await under.finish(second, 10);
      const order = [retried, second, again(retried)];
      await hasTaken(under, order);
      await under.finish(again(retried), 10);
      await hasTaken(under, [...order, third]);
    },
  },
  {
    name: "who is admitted again in any order waits as it was submitted, within its priority",
    slots: 4,
    check: async (under) => {
      const tenantId = newTenantId();
      const [running, a, b, c] = admissions(4, { current }, tenantId) as [
        Admission,
        Admission,
        Admission,
        Admission,
      ];
      const high = admission(tenantId, { current, priority: 9 });
      await under.queue.admit([running]);
      for (const one of [c, high, a, b]) await under.queue.admit([one]);
      const order = [running, high, a, b, c];
      for (const [place, one] of order.entries()) {
        await hasTaken(under, order.slice(0, place + 1));
        await under.finish(one, 10);
      }
    },
  },
  {
    name: "who was asked for later waits as if submitted then",
    slots: 4,
    check: async (under) => {
      // The last is submitted before the delay ends, since it is before it begins.
      const [running, later, waiting] = admissions(3, { current }) as [Admission, Admission, Admission];
      await under.queue.admit([running, { ...later, delayMs: 100 }]);
      await under.queue.admit([waiting]);
      await dispatchUntil(under, Date.now() + 150);
      await under.finish(running, 10);
      await hasTaken(under, [running, waiting]);
      await under.finish(waiting, 10);
      await hasTaken(under, [running, waiting, later]);
    },
  },
  {
    name: "an id from a clock that is ahead puts nobody behind what comes later",
    slots: 4,
    check: async (under) => {
      const [running] = admissions(1, { current }) as [Admission];
      const { tenantId } = running;
      const executionId = newExecutionId(new Date(Date.now() + 60_000));
      const ahead = admission(tenantId, { current, executionId });
      await under.queue.admit([running]);
      await under.queue.admit([ahead]);
      await dispatchUntil(under, Date.now() + 1);
      await under.queue.admit([admission(tenantId, { current })]);
      await hasTaken(under, [running]);
      await under.finish(running, 10);
      await hasTaken(under, [running, ahead]);
    },
  },
];
