import type { Admission, Execution } from "@bulkhead/core";
import { expect, test } from "vitest";
import { reclaimAttempts, type ReclaimDeps } from "./reclaim-attempts.ts";

const admission: Admission = {
  tenantId: "ten_a",
  executionId: "exe_again",
  attempt: 2,
  current: null,
  priority: 4,
  delayMs: 0,
  tool: null,
};
const lost = {
  tenantId: "ten_a",
  executionId: "exe_lost",
  attempt: 3,
  status: "lost",
  endEventId: "4-2",
  finishedAt: new Date(0),
} as Execution;

/** What dead workers had left, and all that is done about it. */
function left(pages: Awaited<ReturnType<ReclaimDeps["executions"]["recoverAttemptsOf"]>>[]) {
  const asked: (readonly string[])[] = [];
  const admitted: string[] = [];
  const released: string[] = [];
  const told: string[] = [];
  const unused = (): never => {
    throw new Error("no part of it");
  };
  const deps: ReclaimDeps = {
    executions: {
      recoverAttemptsOf: async (workerIds) => {
        asked.push(workerIds);
        return pages.shift() ?? { requeued: [], lost: [] };
      },
    },
    queue: {
      admit: async (admissions) => void admitted.push(...admissions.map(({ executionId }) => executionId)),
      release: async ({ executionId, attempt }) => void released.push(`${executionId}-${attempt}`),
      missing: unused,
      reap: unused,
    },
    stream: {
      append: async (_tenantId, events) => {
        told.push(...events.map(({ type }) => type));
        return true;
      },
    },
    bus: { publish: async () => undefined },
    tenantEvents: { publish: async () => undefined },
    clock: () => new Date(0),
    report: () => undefined,
  };
  return { deps, asked, admitted, released, told };
}

test("what dead workers ran is tried again or told as lost, and all of its slots are free", async () => {
  const { deps, asked, admitted, released, told } = left([{ requeued: [admission], lost: [lost] }]);
  expect(await reclaimAttempts(deps, ["wrk_a", "wrk_b"])).toEqual({ requeued: 1, lost: 1 });
  expect(asked).toEqual([["wrk_a", "wrk_b"]]);
  expect(admitted).toEqual(["exe_again"]);
  expect(released).toEqual(expect.arrayContaining(["exe_again-1", "exe_lost-3"]));
  expect(told.toSorted()).toEqual(["execution.lost", "execution.retrying"]);
});

test("it goes on until nothing is left, and asks for nothing where nobody is dead", async () => {
  const full = { requeued: Array.from({ length: 1_000 }, () => admission), lost: [] };
  const many = left([full, { requeued: [admission], lost: [] }]);
  expect(await reclaimAttempts(many.deps, ["wrk_a"])).toEqual({ requeued: 1_001, lost: 0 });
  expect(many.asked).toHaveLength(2);
  const none = left([full]);
  expect(await reclaimAttempts(none.deps, [])).toEqual({ requeued: 0, lost: 0 });
  expect(none.asked).toEqual([]);
});
