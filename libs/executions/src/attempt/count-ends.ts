import type { Execution, ExecutionStore, OutcomeCode, TerminalStatus } from "@bulkhead/core";
import { counterOf, type Meter } from "@bulkhead/process/telemetry";
import { afterEnds } from "./after-ends.ts";

const NO_CODE = "none";

/** How an execution with each code ends. A new code also needs its place here. */
const STATUS_OF = {
  [NO_CODE]: "succeeded",
  "tool.threw": "failed",
  "tool.cpu_limit": "timed_out",
  "tool.wall_limit": "timed_out",
  "tool.memory_limit": "failed",
  "tool.network_limit": "failed",
  "tool.output_invalid": "failed",
  "tool.result_too_large": "failed",
  "tool.egress_denied": "failed",
  "tool.not_active": "failed",
  "tool.code_invalid": "failed",
  "sandbox.crashed": "failed",
  "mcp.unreachable": "failed",
  "mcp.connection_lost": "failed",
  "mcp.tool_changed": "failed",
  "mcp.protocol_error": "failed",
  "execution.cancelled": "cancelled",
  "execution.lost": "lost",
  "execution.deadline": "timed_out",
  "approval.denied": "denied",
  "approval.expired": "denied",
  "approval.too_many": "failed",
  "vault.unreadable": "failed",
  "vault.too_large": "failed",
} as const satisfies Record<OutcomeCode | typeof NO_CODE, TerminalStatus>;

/**
 * The store, with every end that is written through it counted by status and code. Each end is written by one process
 * once, so the sum over all processes counts each execution once.
 */
export function countEnds(executions: ExecutionStore, meter: Meter): ExecutionStore {
  const finished = counterOf(meter, "bulkhead_executions_finished_total");
  const lost = counterOf(meter, "bulkhead_executions_lost_total");
  const labelsOf = endLabels();
  // There from the start, so that the first one is seen to rise; and that nothing ends can be told before anything has.
  lost.add(0);
  for (const [code, status] of Object.entries(STATUS_OF)) finished.add(0, labelsOf(status, code));
  const count = (ended: Execution): void => {
    finished.add(1, labelsOf(ended.status, ended.error?.code ?? NO_CODE));
    if (ended.status === "lost") lost.add(1);
  };
  return afterEnds(executions, count);
}

type EndLabels = Record<"status" | "code", string>;

/** The labels of an end, made once for each pair of status and code. */
function endLabels(): (status: string, code: string) => EndLabels {
  const made = new Map<string, Map<string, EndLabels>>();
  return (status, code) => {
    let ofStatus = made.get(status);
    if (ofStatus === undefined) made.set(status, (ofStatus = new Map()));
    let labels = ofStatus.get(code);
    if (labels === undefined) ofStatus.set(code, (labels = { status, code }));
    return labels;
  };
}
