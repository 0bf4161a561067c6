import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { leakCheck } from "@bulkhead/testing";
import { afterEach, expect, it } from "vitest";
import { openSandboxPool, type SandboxPool } from "./sandbox-pool.ts";
import { NICER_BY } from "./spawn-sandbox.ts";
import { runQuietly, toolRun } from "./testing/tool-runs.ts";

leakCheck();
let pool: SandboxPool;
afterEach(() => pool.close());

/** The field of that name in proc_pid_stat(5), counted from behind the program's name, which may hold anything. */
const NICE = 16;
const niceOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[NICE]);

/** None where the thread has ended meanwhile. */
function statOf(path: string): string[] {
  try {
    return [readFileSync(path, "latin1")];
  } catch {
    return [];
  }
}

it("lets every thread of a sandbox come after the worker where both want a processor", async () => {
  pool = openSandboxPool({ processesMax: 1, blankTarget: 0 });
  await runQuietly(pool, toolRun("return 1"));
  const tasks = pool
    .stats()
    .processes.flatMap(({ pid }) =>
      readdirSync(`/proc/${pid}/task`).flatMap((id) => statOf(`/proc/${pid}/task/${id}/stat`)),
    );
  expect(tasks.length).toBeGreaterThan(1);
  for (const task of tasks) expect(niceOf(task)).toBe(Math.min(19, getPriority() + NICER_BY));
});
