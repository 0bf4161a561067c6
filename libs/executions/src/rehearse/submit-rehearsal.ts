import {
  newTraceId,
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
  type RunnableTool,
  type TenantPrincipal,
  type Tool,
  type ToolCommand,
  type ToolDefinition,
  Fault,
} from "@bulkhead/core";
import { PLAIN_CALL } from "../submit/build-execution.ts";
import { submitDryRun } from "../submit/submit-dry-run.ts";
import type { SubmitDeps } from "../submit/submit.ts";

export type SubmitRehearsalDeps = SubmitDeps & { dryRuns: Pick<DryRunStore, "refuse"> };

/** A version that is to be tried out. */
export interface Rehearsal {
  tool: Pick<Tool, "id" | "name" | "applyDefaults">;
  version: number;
  definition: ToolDefinition;
}

/** The run of a version to put down before it is accepted; with arguments that somebody gave, or that were made for it. */
export const newRehearsal = (
  { clock }: { clock: Clock },
  { tenantId }: TenantPrincipal,
  { tool, version }: Rehearsal,
  args: { given: JsonObject } | { made: JsonObject },
): NewDryRun => ({
  tenantId,
  executionId: newExecutionId(clock()),
  toolId: tool.id,
  version,
  arguments: "given" in args ? args.given : args.made,
  generated: "made" in args,
});

/** Arguments that the version's schema takes; null where none could be made. */
export async function makeArguments(
  { schemas }: Pick<SubmitRehearsalDeps, "schemas">,
  { tenantId }: Pick<TenantPrincipal, "tenantId">,
  { tool, version, definition: { parameters } }: Rehearsal,
): Promise<JsonObject | null> {
  for (const made of exampleArguments(parameters)) {
    const faults = await schemas.checkArguments(tenantId, `example/${tool.id}@${version}`, parameters, made);
    if (faults.length === 0) return made;
  }
  return null;
}

/** Why a version is not tried out with arguments that were made. */
export const NO_EXAMPLE =
  "No arguments could be made that the schema takes. Ask for a dry run with arguments, or give the schema examples.";

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
  const { services, mcp, shell, ...runnable } = toRunnable(definition);
  try {
    if (mcp) throw new Fault("tool.bridged", { detail: NO_DRY_RUN });
    await submitDryRun(deps, principal, {
      ...PLAIN_CALL,
      source: "dry_run",
      executionId: run.executionId,
      parameters: definition.parameters,
      applyDefaults: tool.applyDefaults,
      priority: 0,
      inlineTool: {
        ...runnable,
        ...(shell && shownAlone(shell)),
        limits: bounded(runnable.limits),
        services: [],
        rehearsal: { services },
      },
      toolName: tool.name,
      arguments: run.arguments,
      context: {},
      timeoutMs: DRY_RUN_TIMEOUT_MS,
      traceId: newTraceId(),
    });
  } catch (cause) {
    const { code, detail } = cause instanceof Fault ? cause : new Fault("service.internal", { cause });
    await deps.dryRuns.refuse(run.executionId, { code, message: detail });
    throw cause;
  }
}

const NO_DRY_RUN =
  "A tool of an MCP server is not tried out: nothing of it runs here, and all that a call does happens at its server.";

/** Its line is the result, whatever its command would give; nothing is told the values of its variables. */
const shownAlone = (shell: ToolCommand): Pick<RunnableTool, "shell" | "outputSchema"> => ({
  shell: { ...shell, env: {} },
  outputSchema: null,
});

const bounded = (limits: RunLimits): RunLimits => ({
  ...limits,
  cpuMs: Math.min(limits.cpuMs, DRY_RUN_LIMITS_MAX.cpuMs),
  wallMs: Math.min(limits.wallMs, DRY_RUN_LIMITS_MAX.wallMs),
});
