import { setTimeout as delay } from "node:timers/promises";
import { openSandboxPool } from "@bulkhead/sandbox";
import { Listener, NEVER, toolRun } from "../security/support/tool-run.ts";
import { memoryOf } from "./process-tree.ts";

/** What tenants without a process of their own meet, and what they leave. */
export interface NewTenants {
  /** From the call to the verdict of each tenant's first run, in milliseconds. */
  ms: number[];
  /** Each tenant's process afterwards. Empty where the system doesn't show it. */
  rssMib: number[];
  pssMib: number[];
}

const BLANK = 2;
const POLL_MS = 50;
/** A process that has just started gives memory back. */
const SETTLE_MS = 1_000;

/** Each tenant's first run meets a blank process that has been ready for a moment, on a machine that does nothing else. */
export async function measureNewTenants(tenants: number): Promise<NewTenants> {
  const pool = openSandboxPool({ processesMax: tenants + BLANK, blankTarget: BLANK });
  const ms: number[] = [];
  try {
    for (let tenant = 0; tenant < tenants; tenant += 1) {
      do await delay(POLL_MS);
      while (pool.stats().blank < BLANK || pool.stats().starting > 0);
      const run = toolRun({
        code: `return args.n + ${tenant}`,
        argumentsJson: '{"n":1}',
        tenantId: `ten_${tenant}`,
      });
      const askedAt = performance.now();
      const verdict = await pool.run(run, new Listener(), NEVER);
      ms.push(performance.now() - askedAt);
      if (verdict.outcome !== "returned" || verdict.json !== String(tenant + 1))
        throw new Error(`the sandbox answered ${JSON.stringify(verdict)}`);
    }
    await delay(SETTLE_MS);
    const bound = pool.stats().processes.filter(({ tenantId }) => tenantId !== null);
    const memory = bound.flatMap(({ pid }) => memoryOf(pid) ?? []);
    return { ms, rssMib: memory.map(({ rss }) => rss), pssMib: memory.map(({ pss }) => pss) };
  } finally {
    await pool.close();
  }
}
