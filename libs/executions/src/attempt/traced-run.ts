import type { RunnableTool } from "@bulkhead/core";
import type { AttemptLog } from "./attempt-log.ts";
import { runInSandbox, type Ran, type SandboxRunDeps } from "./run-in-sandbox.ts";
import type { RunSecrets } from "../secrets/open-secrets.ts";
import { roundMs } from "./stopwatch.ts";
import type { HeldAttempt } from "./tool-calls.ts";

/** `runInSandbox` as a step of the attempt's trace: what the tool asks the outside for belongs to it. */
export async function tracedRun(
  deps: SandboxRunDeps,
  held: HeldAttempt,
  tool: RunnableTool,
  secrets: RunSecrets,
  log: AttemptLog,
): Promise<Ran> {
  const span = held.span.begin("run tool", {
    attributes: {
      "bulkhead.tenant.id": held.tenantId,
      "bulkhead.tool.name": held.toolName,
      "bulkhead.tool.version": held.toolVersion,
      "bulkhead.execution.id": held.executionId,
      "bulkhead.attempt": held.attempt,
    },
  });
  let failure: string | null = "run.broken";
  try {
    const ran = await runInSandbox(deps, { ...held, span }, tool, secrets, log);
    failure = failureOf(ran);
    const { cpuMs, memoryPeakMib, networkRequests } = "stopped" in ran ? ran.used : ran.ending.usage;
    span.set({
      "bulkhead.outcome": "stopped" in ran ? ran.stopped : ran.ending.status,
      "bulkhead.bind_ms": roundMs(ran.bindMs),
      "bulkhead.cpu_ms": cpuMs,
      "bulkhead.memory_peak_mib": memoryPeakMib,
      "bulkhead.network_requests": networkRequests,
    });
    return ran;
  } finally {
    span.end(failure);
  }
}

/** The code of how a run ended; null for a good end. */
export const failureOf = (ran: Ran): string | null =>
  "stopped" in ran ? ran.stopped : (ran.ending.error?.code ?? null);
