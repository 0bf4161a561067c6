import {
  announcingEventId,
  newExecutionId,
  type CallContext,
  type Clock,
  type EventStream,
  type ExecutionQueue,
  type ExecutionStatus,
  type ExecutionStore,
  type InlineTool,
  type JsonObject,
  type NewExecution,
  type SchemaChecker,
  type TenantPrincipal,
  type Timings,
  type Tool,
} from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import type { Report } from "./report.ts";
import { Stopwatch } from "./stopwatch.ts";

export interface SubmitDeps {
  executions: Pick<ExecutionStore, "insert">;
  queue: Pick<ExecutionQueue, "admit">;
  stream: Pick<EventStream, "append">;
  schemas: Pick<SchemaChecker, "checkArguments">;
  clock: Clock;
  report: Report;
}

export interface SubmitRequest {
  executionId: string;
  arguments: JsonObject;
  context: CallContext;
  /** From now to the result, in milliseconds. */
  timeoutMs: number;
  traceId: string;
}

export interface Submitted {
  execution: NewExecution;
  status: ExecutionStatus;
  timings: Timings;
}

/** The id of an execution to be; it is known before the row is there, so that its end can be watched from the start. */
export const nextExecutionId = (clock: Clock): string => newExecutionId(clock());

/**
 * Accepts a call of a stored tool: after this, it reaches exactly one terminal state.
 * Throws `tool.not_active`, `tool.approval_required` or `tool.arguments_invalid`; then nothing was accepted.
 */
export async function submitExecution(
  deps: SubmitDeps,
  principal: TenantPrincipal,
  tool: Tool,
  request: SubmitRequest,
): Promise<Submitted> {
  const watch = new Stopwatch();
  if (tool.status !== "active") {
    throw new Fault("tool.not_active", {
      detail: `The tool ${tool.name} is ${tool.status}; only active tools run.${tool.statusReason ? ` ${tool.statusReason}` : ""}`,
    });
  }
  if (tool.requiresApproval && principal.role === "agent") {
    throw new Fault("tool.approval_required", {
      detail: "This tool runs only with a person's confirmation; call it with an owner's or developer's key.",
    });
  }
  await requireValidArguments(deps, `${tool.id}@${tool.version}`, tool.parameters, request.arguments);
  watch.lap("validate");
  const execution = buildExecution(deps.clock(), principal, request, {
    toolId: tool.id,
    toolName: tool.name,
    toolVersion: tool.version,
    inlineTool: null,
    idempotent: tool.idempotent,
  });
  await accept(deps, principal, execution, watch);
  return { execution, status: "queued", timings: watch.timings };
}

export interface DryRunRequest extends SubmitRequest {
  toolName: string;
  parameters: JsonObject;
  inlineTool: InlineTool;
}

/** Accepts a run of a tool that is not stored. It counts for no tool's usage. */
export async function submitDryRun(
  deps: SubmitDeps,
  principal: TenantPrincipal,
  request: DryRunRequest,
): Promise<Submitted> {
  const watch = new Stopwatch();
  await requireValidArguments(deps, `dry/${request.executionId}`, request.parameters, request.arguments);
  watch.lap("validate");
  const execution = buildExecution(deps.clock(), principal, request, {
    toolId: null,
    toolName: request.toolName,
    toolVersion: 0,
    inlineTool: request.inlineTool,
    idempotent: false,
  });
  await accept(deps, principal, execution, watch);
  return { execution, status: "queued", timings: watch.timings };
}

async function requireValidArguments(
  { schemas }: Pick<SubmitDeps, "schemas">,
  schemaKey: string,
  schema: JsonObject,
  value: JsonObject,
): Promise<void> {
  const errors = await schemas.checkArguments(schemaKey, schema, value);
  if (errors.length > 0) {
    throw new Fault("tool.arguments_invalid", {
      detail: `${errors[0]?.path}: ${errors[0]?.message}.`,
      errors,
    });
  }
}

type ToolPart = Pick<NewExecution, "toolId" | "toolName" | "toolVersion" | "inlineTool" | "idempotent">;

function buildExecution(
  now: Date,
  principal: TenantPrincipal,
  request: SubmitRequest,
  tool: ToolPart,
): NewExecution {
  const agentId = principal.agentId ?? request.context.agentId;
  return {
    ...tool,
    tenantId: principal.tenantId,
    executionId: request.executionId,
    arguments: request.arguments,
    context: agentId === undefined ? request.context : { ...request.context, agentId },
    requestedBy: principal.keyId,
    byAgent: principal.role === "agent",
    createdAt: now,
    deadlineAt: new Date(now.getTime() + request.timeoutMs),
    traceId: request.traceId,
  };
}

/**
 * Commits the row, then hands the first attempt to the queue. A queue that can't be reached does not undo the
 * acceptance: a sweep finds the row and queues it again.
 */
async function accept(
  deps: SubmitDeps,
  principal: TenantPrincipal,
  execution: NewExecution,
  watch: Stopwatch,
): Promise<void> {
  const { tenantId, executionId } = execution;
  const queued = {
    type: "execution.queued",
    id: announcingEventId(1),
    executionId,
    attempt: 1,
    at: execution.createdAt.toISOString(),
  } as const;
  // The announcement need not wait for the commit: nobody can follow a row that is not there, and it must come first.
  const announced = deps.stream
    .append(tenantId, [queued])
    .catch((error: unknown) => deps.report("announcing an execution failed", error));
  await deps.executions.insert(execution);
  watch.lap("persist");
  await announced;
  try {
    await deps.queue.admit({ tenantId, executionId, attempt: 1 }, principal.limits.maxConcurrentExecutions);
  } catch (error) {
    deps.report("queueing an accepted execution failed; a sweep will do it", error);
  }
  watch.lap("admit");
}
