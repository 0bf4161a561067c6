import { newExecutionId, newTenantId, type Admission } from "@bulkhead/core";
import { expect, test } from "vitest";
import { sweep } from "./sweep.ts";

const ignore = (): Promise<void> => Promise.resolve();

test("an execution whose worker is gone waits for its turn before the slot of the lost attempt is free", async () => {
  const again: Admission = {
    tenantId: newTenantId(),
    executionId: newExecutionId(new Date()),
    attempt: 2,
    current: null,
    priority: 4,
    delayMs: 0,
    tool: null,
  };
  const done: string[] = [];
  const healed = await sweep(
    {
      executions: {
        expireOverdue: () => Promise.resolve([]),
        recoverExpiredLeases: () => Promise.resolve({ requeued: [again], lost: [] }),
        listQueued: () => Promise.resolve([]),
      },
      queue: {
        admit: async (admissions) =>
          void done.push(...admissions.map(({ attempt }) => `admitted ${attempt}`)),
        release: async ({ attempt }) => void done.push(`released ${attempt}`),
        missing: () => Promise.resolve([]),
        reap: () => Promise.resolve(0),
      },
      stream: { append: () => Promise.resolve(true) },
      bus: { publish: ignore },
      tenantEvents: { publish: ignore },
      clock: () => new Date(),
      report: () => undefined,
    },
    { after: null },
  );
  expect(healed.requeued).toBe(1);
  // The other way round the freed slot would go to what was submitted later.
  expect(done).toEqual(["admitted 2", "released 1"]);
});
