import {
  readJson,
  type Ending,
  type OutcomeCode,
  type SandboxVerdict,
  type TerminalStatus,
} from "@bulkhead/core";

/** An end without its bill. */
export type Judged = Pick<Ending, "status" | "result" | "error">;

/** The outcomes in which the run was stopped or refused, each with its status and its permanent code. */
const STOPPED = {
  cpu: { status: "timed_out", code: "tool.cpu_limit" },
  wall: { status: "timed_out", code: "tool.wall_limit" },
  memory: { status: "failed", code: "tool.memory_limit" },
  result_too_large: { status: "failed", code: "tool.result_too_large" },
  output_invalid: { status: "failed", code: "tool.output_invalid" },
  crashed: { status: "failed", code: "sandbox.crashed" },
} as const satisfies Record<string, { status: TerminalStatus; code: OutcomeCode }>;

/** Refused effects that the tool let through as its own error. */
const REFUSED_EFFECTS: Readonly<Record<string, OutcomeCode>> = {
  egress_denied: "tool.egress_denied",
  network_limit: "tool.network_limit",
};

/** What a verdict of the sandbox means for the execution; null where the run was aborted or never began: that is not the tool's end. */
export function judge(verdict: SandboxVerdict, refusedEffects: ReadonlySet<string>): Judged | null {
  switch (verdict.outcome) {
    case "returned":
      return { status: "succeeded", result: readJson(verdict.json), error: null };
    case "threw": {
      // A tool can put any code on its errors; only one that was really given to it counts. The sandbox itself refuses a
      // body that is over its limit, which no worker hears of.
      const wasGiven = refusedEffects.has(verdict.code ?? "") || verdict.code === "network_limit";
      const refused = wasGiven && REFUSED_EFFECTS[verdict.code ?? ""];
      const judged = failed("failed", refused || "tool.threw", verdict.message);
      const { retryAfterMs } = verdict;
      if (judged.error === null || retryAfterMs === undefined) return judged;
      return { ...judged, error: { ...judged.error, retryAfterMs } };
    }
    case "aborted":
    case "unavailable":
      return null;
    default: {
      const { status, code } = STOPPED[verdict.outcome];
      return failed(status, code, verdict.message);
    }
  }
}

export const failed = (status: TerminalStatus, code: OutcomeCode, message: string): Judged => ({
  status,
  result: null,
  error: { code, message },
});
