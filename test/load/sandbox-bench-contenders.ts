import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { openSandboxPool } from "@bulkhead/sandbox";
import { Listener, NEVER, toolRun } from "../security/support/tool-run.ts";
import { treeCpuMs } from "./process-tree.ts";

/** The tool that both run: a little work on its arguments. */
const CODE = "let sum = 0; for (const n of args.numbers) sum += n; return { sum, of: args.numbers.length };";
const ARGUMENTS = JSON.stringify({ numbers: [1, 2, 3, 4, 5] });
const RESULT = JSON.stringify({ sum: 15, of: 5 });

/** What one round measured. */
export interface Round {
  /** Milliseconds, in the order in which the runs ended. */
  latencies: number[];
  elapsedMs: number;
  /** Processor time of everything that took part. */
  cpuMs: number;
}

/** Runs the tool again and again, `concurrency` at a time, for `durationMs`; a wrong answer throws. */
export interface Contender {
  round(concurrency: number, durationMs: number): Promise<Round>;
  close(): Promise<void>;
}

/** Plain isolated-vm in a process of its own, which measures itself: what asks it costs it nothing. */
export async function openFloor(): Promise<Contender> {
  const program = join(import.meta.dirname, "baselines", "isolated-vm-floor.ts");
  const job = JSON.stringify({ code: CODE, argumentsJson: ARGUMENTS, timeoutMs: 5_000 });
  const child: ChildProcess = fork(program, [job], { execArgv: ["--no-node-snapshot"], env: {} });
  await once(child, "message");
  return {
    async round(concurrency, durationMs) {
      child.send({ concurrency, durationMs });
      const [round] = (await once(child, "message")) as [Round & { result: unknown }];
      if (round.result !== RESULT) throw new Error(`the floor answered ${String(round.result)}`);
      return round;
    },
    async close() {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}

/** The pool, its wire and its processes; each tenant's runs keep one process busy. */
export function openOurs(tenants: number): Contender {
  const pool = openSandboxPool({ processesMax: tenants, blankTarget: 0 });
  const runOnce = async (tenant: number): Promise<void> => {
    const run = toolRun({ code: CODE, argumentsJson: ARGUMENTS, tenantId: `ten_${tenant}` });
    const verdict = await pool.run(run, new Listener(), NEVER);
    if (verdict.outcome !== "returned" || verdict.json !== RESULT)
      throw new Error(`the sandbox answered ${JSON.stringify(verdict)}`);
  };
  return {
    async round(concurrency, durationMs) {
      // A tenant whose process was given back gets its next one outside the measure.
      for (let tenant = 0; tenant < tenants; tenant += 1) await runOnce(tenant);
      const latencies: number[] = [];
      const before = treeCpuMs();
      const startedAt = performance.now();
      const one = async (_: unknown, worker: number): Promise<void> => {
        while (performance.now() < startedAt + durationMs) {
          const sentAt = performance.now();
          await runOnce(worker % tenants);
          latencies.push(performance.now() - sentAt);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, one));
      return { latencies, elapsedMs: performance.now() - startedAt, cpuMs: treeCpuMs() - before };
    },
    close: () => pool.close(),
  };
}
