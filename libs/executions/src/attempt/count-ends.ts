import type { Execution, ExecutionStore, OutcomeCode, TerminalStatus } from "@bulkhead/core";
import { counterOf, type Meter } from "@bulkhead/process/telemetry";

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
  "execution.cancelled": "cancelled",
  "execution.lost": "lost",
  "execution.deadline": "timed_out",
  "approval.denied": "denied",
  "approval.expired": "denied",
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
  return {
    ...executions,
    async finish(...end) {
      const ended = await executions.finish(...end);
      if (ended) count(ended);
      return ended;
    },
    async convict(attempt, ending, endEventId, convictionsMax) {
      const convicted = await executions.convict(attempt, ending, endEventId, convictionsMax);
      if (convicted) count(convicted.ended);
      return convicted;
    },
    async endFromOutside(key, ending) {
      const ended = await executions.endFromOutside(key, ending);
      if (ended) count(ended);
      return ended;
    },
    async expireOverdue(limit) {
      const expired = await executions.expireOverdue(limit);
      expired.forEach(count);
      return expired;
    },
    async recoverExpiredLeases(limit) {
      const recovered = await executions.recoverExpiredLeases(limit);
      recovered.lost.forEach(count);
      return recovered;
    },
    async recoverAttemptsOf(workerIds, limit) {
      const recovered = await executions.recoverAttemptsOf(workerIds, limit);
      recovered.lost.forEach(count);
      return recovered;
    },
  };
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
