import {
  agentOf,
  newExecutionId,
  NOTHING_KEPT,
  PRIORITY_DEFAULT,
  retentionOf,
  timeoutFor,
  type CallContext,
  type Callback,
  type Clock,
  type ExecutionSource,
  type IdempotencyKey,
  type InlineTool,
  type JsonObject,
  type NewExecution,
  type Retention,
  type TenantPrincipal,
  type Tool,
} from "@bulkhead/core";
import { withAsks } from "@bulkhead/policy";
import { scriptOf, type BuiltInTool } from "./built-in-tool.ts";

/** A call as its caller made it. */
export interface NewCall {
  executionId: string;
  source: ExecutionSource;
  /** The name that the caller's program gave itself; null: none. */
  client: string | null;
  arguments: JsonObject;
  context: CallContext;
  /** From the end of the delay to the result, in milliseconds; null: as long as its tool may run, or other calls if that is more. */
  timeoutMs: number | null;
  /** The id of the trace that it belongs to where nobody records one. */
  traceId: string;
  /** The step in which it was asked for, as W3C Trace Context writes it; null where that is no step of a trace. */
  traceparent: string | null;
  /** 0 to 9; 9 goes first. */
  priority: number;
  /** How long it is put off; milliseconds. */
  delayMs: number;
  callback: Callback | null;
  /** Whether its data are kept, as its tool and its tenant say; else nothing of it is. */
  store: boolean;
  /** The key under which it is accepted once. */
  once: IdempotencyKey | null;
  replayOf: string | null;
  scheduleId: string | null;
}

/** The fields of a call whose caller says no more. */
export const PLAIN_CALL = {
  client: null,
  timeoutMs: null,
  priority: PRIORITY_DEFAULT,
  delayMs: 0,
  callback: null,
  store: true,
  once: null,
  replayOf: null,
  scheduleId: null,
  traceparent: null,
} as const;

/** Whether a call runs at once, waits for a person first, or runs unless its tool's own code has a person asked. */
export type CallMay = "may_run" | "must_wait" | "tool_decides";

/** The id of an execution to be; it is known before the row is there, so that its end can be watched from the start. */
export const nextExecutionId = (clock: Clock): string => newExecutionId(clock());

type Callee = Pick<
  Tool,
  "id" | "name" | "version" | "idempotent" | "retry" | "dispatch" | "retention" | "limits"
>;

export const buildExecution = (
  now: Date,
  principal: TenantPrincipal,
  asked: NewCall,
  tool: Callee | BuiltInTool,
  may: CallMay,
): NewExecution => {
  const call = timed(asked, tool, principal);
  return {
    ...common(now, principal, call, "retention" in tool ? tool.retention : null),
    ...(may === "must_wait" ? waiting(now, principal, call) : {}),
    ...(may === "tool_decides" ? { toolDecides: true } : {}),
    ...("builtIn" in tool ? unstored(tool.name, scriptOf(tool, call.arguments)) : stored(tool)),
  };
};

type TimedCall = NewCall & { timeoutMs: number };

const timed = (
  call: NewCall,
  { limits }: Pick<InlineTool, "limits">,
  principal: Pick<TenantPrincipal, "limits">,
): TimedCall => ({ ...call, timeoutMs: call.timeoutMs ?? timeoutFor(limits, principal.limits) });

const stored = ({ id, name, version, idempotent, retry, dispatch }: Callee) => ({
  toolId: id,
  toolName: name,
  toolVersion: version,
  inlineTool: null,
  idempotent,
  retry,
  dispatch,
});

const unstored = (toolName: string, inlineTool: InlineTool) => ({
  toolId: null,
  toolName,
  toolVersion: 0,
  inlineTool,
  idempotent: false,
  retry: null,
  dispatch: null,
});

/** Until it is allowed its deadline is that of the answer; its own time begins then. */
function waiting(now: Date, { approval }: TenantPrincipal, { timeoutMs }: TimedCall) {
  const deadlineAt = new Date(now.getTime() + approval.timeoutMs);
  return { deadlineAt, approval: { timeoutMs, expiresAt: deadlineAt.toISOString() } };
}

/** A run of a tool that is not stored. For whom it is evidence of a version, it stays as long as the version does. */
export const buildDryRun = (
  now: Date,
  principal: TenantPrincipal,
  call: NewCall,
  toolName: string,
  inlineTool: InlineTool,
): NewExecution => {
  const execution = {
    ...common(now, principal, timed(call, inlineTool, principal), null),
    ...unstored(toolName, inlineTool),
  };
  const { rehearsal } = inlineTool;
  // A try with recorded answers is no evidence of any version.
  if (!rehearsal || rehearsal.recorded || execution.retention === null) return execution;
  return { ...execution, retention: { events: execution.retention.events } };
};

function common(now: Date, principal: TenantPrincipal, call: TimedCall, ofTool: Retention | null) {
  const { executionId, source, client, arguments: args, traceId, traceparent } = call;
  const { priority, delayMs, callback, replayOf } = call;
  const { agentId: said, ...context } = withAsks(principal, call.context);
  const agentId = agentOf(principal, said);
  return {
    executionId,
    tenantId: principal.tenantId,
    arguments: args,
    context: agentId === null ? context : { ...context, agentId },
    source,
    client,
    requestedBy: principal.keyId,
    ...(principal.accessToken && { accessTokenId: principal.accessToken.id }),
    byAgent: principal.role === "agent",
    createdAt: now,
    deadlineAt: new Date(now.getTime() + delayMs + call.timeoutMs),
    traceId,
    traceparent,
    priority,
    delayMs,
    callback,
    replayOf,
    scheduleId: call.scheduleId,
    retention: call.store ? retentionOf(ofTool, principal.retention ?? null) : NOTHING_KEPT,
    approval: null,
  };
}
