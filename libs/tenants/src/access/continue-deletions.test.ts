import { DELETION_KINDS, type DeletionKind, type ExecutionKey } from "@bulkhead/core";
import { expect, test } from "vitest";
import { continueDeletions, type DeletionDeps } from "./continue-deletions.ts";

interface Scene {
  rows?: Partial<Record<DeletionKind, number>>;
  open?: number;
  agedMs?: number;
  held?: number;
  graceMs?: number;
}

/** One tenant that is being deleted, two rows of a kind in a step, and what was done in order. */
function bench({ rows = {}, open = 0, agedMs = 60_000, held = 0, graceMs = 15_000 }: Scene = {}) {
  const left = new Map(DELETION_KINDS.map((kind) => [kind, rows[kind] ?? 0]));
  const running = Array.from({ length: open }, (_, n): ExecutionKey => ({
    tenantId: "ten_1",
    executionId: `exe_${n}`,
  }));
  const did: string[] = [];
  const releases: number[] = [];
  const reports: string[] = [];
  let isDue = true;
  let isGone = false;
  const take = (kind: DeletionKind): number => {
    const count = Math.min(left.get(kind) ?? 0, 2);
    left.set(kind, (left.get(kind) ?? 0) - count);
    if (count > 0) did.push(kind);
    return count;
  };
  const deps: DeletionDeps = {
    deletions: {
      claim: async () => {
        const claimed = isDue && !isGone ? { tenantId: "ten_1", agedMs } : null;
        isDue = false;
        return claimed;
      },
      release: async (_tenantId, dueInMs) => void releases.push(dueInMs),
      listOpen: async (_tenantId, limit) => running.slice(0, limit),
      dropSchedules: async () => Array.from({ length: take("schedules") }, (_, n) => `sch_${n}`),
      drop: async (_tenantId, kind) => take(kind),
      finish: async () => {
        did.push("finish");
        isGone = [...left.values()].every((count) => count === 0) && running.length === 0;
        return isGone;
      },
    },
    stopRun: async ({ executionId }) => {
      did.push("stop");
      running.splice(
        running.findIndex((one) => one.executionId === executionId),
        1,
      );
    },
    removeTrigger: async () => void did.push("trigger"),
    dropServers: async () => void did.push("servers"),
    forgetQueue: async () => {
      did.push("queue");
      return held;
    },
    remnants: {
      clear: async () => {
        did.push("redis");
        return 0;
      },
    },
    graceMs,
    report: (what) => void reports.push(what),
  };
  const again = (): void => void (isDue = true);
  return { deps, did, releases, reports, again, isGone: () => isGone };
}
const never = new AbortController().signal;

test("what runs is stopped first, the rows go kind by kind, then Redis, and the tenant last", async () => {
  const scene = bench({ open: 2, rows: { schedules: 1, executions: 3, tools: 1 } });
  await continueDeletions(scene.deps, never);
  expect(scene.did).toEqual(
    "stop stop servers schedules trigger executions executions tools queue redis finish".split(" "),
  );
  expect([scene.isGone(), scene.releases, scene.reports]).toEqual([true, [], []]);
});

test("what was accepted before may still come for a while: until then rows go, and nothing is finished", async () => {
  const scene = bench({ agedMs: 14_900, rows: { tools: 1 } });
  await continueDeletions(scene.deps, never);
  expect(scene.did).toEqual(["servers", "tools"]);
  expect(scene.releases).toEqual([100]);
});

test("while the queue holds something of it, it is not forgotten", async () => {
  const scene = bench({ held: 1 });
  await continueDeletions(scene.deps, never);
  expect([scene.did, scene.releases]).toEqual([["servers", "queue"], [1_000]]);
});

test("killed after any step, whoever comes next goes on where that was", async () => {
  const rows = Object.fromEntries(DELETION_KINDS.map((kind) => [kind, 5]));
  const scene = bench({ open: 3, rows });
  let lives = 0;
  while (!scene.isGone()) {
    lives += 1;
    const killed = new AbortController();
    const { drop } = scene.deps.deletions;
    const deps = {
      ...scene.deps,
      deletions: {
        ...scene.deps.deletions,
        drop: async (...of: Parameters<typeof drop>) => {
          const count = await drop(...of);
          if (count > 0) killed.abort();
          return count;
        },
      },
    };
    scene.again();
    await continueDeletions(deps, killed.signal);
  }
  // Each kind but schedules takes three steps; schedules are deleted without a death.
  expect(lives).toBe((DELETION_KINDS.length - 1) * 3 + 1);
  expect(scene.did.filter((what) => what === "finish")).toHaveLength(1);
});

test("what fails is reported and tried again soon, and another tenant has its turn meanwhile", async () => {
  const scene = bench({ open: 1 });
  const claims = ["ten_1", "ten_2"];
  const deps: DeletionDeps = {
    ...scene.deps,
    deletions: {
      ...scene.deps.deletions,
      claim: async () => {
        const tenantId = claims.shift();
        return tenantId ? { tenantId, agedMs: 60_000 } : null;
      },
      listOpen: async (tenantId, limit) =>
        tenantId === "ten_1"
          ? Promise.reject(new Error("no Postgres"))
          : scene.deps.deletions.listOpen(tenantId, limit),
    },
  };
  await continueDeletions(deps, never);
  expect([scene.reports.length, scene.releases, scene.isGone()]).toEqual([1, [1_000], true]);
});
