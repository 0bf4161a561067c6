import {
  DRY_RUN_LIMITS_MAX,
  DRY_RUN_TIMEOUT_MS,
  exampleArguments,
  newExecutionId,
  toRunnable,
  type Clock,
  type DryRunStore,
  type JsonObject,
  type NewDryRun,
  type RunLimits,
  type TenantPrincipal,
  type Tool,
  type ToolDefinition,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { randomBytes } from "node:crypto";
import { PLAIN_CALL } from "../submission/build-execution.ts";
import { submitDryRun } from "../submission/submit-dry-run.ts";
import type { SubmitDeps } from "../submission/submit.ts";

export type SubmitRehearsalDeps = SubmitDeps & { dryRuns: Pick<DryRunStore, "refuse"> };

/** A version that is to be tried out. */
export interface Rehearsal {
  tool: Pick<Tool, "id" | "name">;
  version: number;
  definition: ToolDefinition;
}

/** The run of a version to put down before it is accepted; without arguments, with such as its schema asks for. */
export const newRehearsal = (
  { clock }: { clock: Clock },
  { tenantId }: TenantPrincipal,
  { tool, version, definition }: Rehearsal,
  given: JsonObject | null,
): NewDryRun => ({
  tenantId,
  executionId: newExecutionId(clock()),
  toolId: tool.id,
  version,
  arguments: given ?? exampleArguments(definition.parameters),
  generated: given === null,
});

/**
 * Accepts a dry run that was put down: in the real sandbox, without any service's values, each effect refused and put
 * down. What is not accepted is put down with the reason. Throws what a submission throws.
 */
export async function submitRehearsal(
  deps: SubmitRehearsalDeps,
  principal: TenantPrincipal,
  { tool, definition }: Rehearsal,
  run: NewDryRun,
): Promise<void> {
  const { services, ...runnable } = toRunnable(definition);
  try {
    await submitDryRun(deps, principal, {
      ...PLAIN_CALL,
      executionId: run.executionId,
      parameters: definition.parameters,
      priority: 0,
      inlineTool: { ...runnable, limits: bounded(runnable.limits), services: [], rehearsal: { services } },
      toolName: tool.name,
      arguments: run.arguments,
      context: {},
      timeoutMs: DRY_RUN_TIMEOUT_MS,
      traceId: randomBytes(16).toString("hex"),
    });
  } catch (cause) {
    const { code, detail } = cause instanceof Fault ? cause : new Fault("service.internal", { cause });
    await deps.dryRuns.refuse(run.executionId, { code, message: detail });
    throw cause;
  }
}

const bounded = (limits: RunLimits): RunLimits => ({
  ...limits,
  cpuMs: Math.min(limits.cpuMs, DRY_RUN_LIMITS_MAX.cpuMs),
  wallMs: Math.min(limits.wallMs, DRY_RUN_LIMITS_MAX.wallMs),
});
