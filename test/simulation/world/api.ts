import type { AuditLog, TenantPrincipal, Tool } from "@bulkhead/core";
import {
  cancelExecution,
  expireExecution,
  BatchYield,
  PLAIN_CALL,
  submitBatch,
  submitExecution,
  type BatchDeps,
  type EndDeps,
  type NewCall,
} from "@bulkhead/executions";
import { NO_TRACING } from "@bulkhead/process/telemetry";
import type { VirtualProcess } from "../kernel/scheduler.ts";
import { busOf, queueOf, storeOf, streamOf } from "./ports.ts";
import type { World } from "./world.ts";

/** An API process: what its routes would call. */
export interface Api {
  process: VirtualProcess;
  submit(principal: TenantPrincipal, tool: Tool, call: NewCall): ReturnType<typeof submitExecution>;
  submitBatch(
    principal: TenantPrincipal,
    calls: (NewCall & { tool: Tool })[],
  ): ReturnType<typeof submitBatch>;
  cancel(principal: TenantPrincipal, executionId: string): ReturnType<typeof cancelExecution>;
  expire(tenantId: string, executionId: string): ReturnType<typeof expireExecution>;
  setLimits: ReturnType<typeof queueOf>["setLimits"];
}

export function startApi(world: World, name: string): Api {
  const process = world.scheduler.spawn(name);
  const queue = queueOf(world, process);
  const batchYield = new BatchYield(() => world.now());
  const deps: BatchDeps & EndDeps & { audit: AuditLog } = {
    executions: storeOf(world, process),
    queue,
    stream: streamOf(world, process),
    bus: busOf(world, process),
    // Owners call here: nobody is asked.
    approvals: { standingOf: () => Promise.resolve([]), countWaiting: () => Promise.resolve(0) },
    standingUses: { saw: () => undefined },
    tenantEvents: { publish: () => Promise.resolve() },
    audit: { record: () => Promise.resolve() },
    schemas: { checkArguments: () => Promise.resolve([]) },
    rateLimiter: {
      take: (_key, { burst }) =>
        Promise.resolve({
          allowed: true,
          limit: burst,
          remaining: burst,
          resetMs: 0,
          retryAfterMs: 0,
          changeMark: null,
        }),
    },
    clock: () => new Date(world.now()),
    report: world.report,
    batchYield,
    tracing: NO_TRACING,
  };
  world.members.push({ process, slots: null, onSignal: () => undefined });
  return {
    process,
    submit: (principal, tool, call) => {
      batchYield.came();
      return submitExecution(deps, principal, tool, call);
    },
    submitBatch: (principal, calls) => submitBatch(deps, principal, calls),
    cancel: (principal, executionId) =>
      cancelExecution(deps, principal, { tenantId: principal.tenantId, executionId }),
    expire: (tenantId, executionId) => expireExecution(deps, { tenantId, executionId }),
    setLimits: queue.setLimits,
  };
}

/** A call as its caller makes it, with what most callers leave out. */
export const callOf = (executionId: string, timeoutMs: number): NewCall => ({
  ...PLAIN_CALL,
  source: "rest",
  executionId,
  arguments: {},
  context: {},
  timeoutMs,
  traceId: "0".repeat(32),
});
