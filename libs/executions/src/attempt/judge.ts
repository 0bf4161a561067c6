import {
  dataOf,
  EXECUTION_ATTEMPTS_MAX,
  forModel,
  readJson,
  RETRY_BACKOFF_MS_MAX,
  RETRY_FACTOR_DEFAULT,
  RETRY_JITTER_DEFAULT,
  valueOf,
  type EffectAnswer,
  type Ending,
  type ExecutionError,
  type Json,
  type McpTimes,
  type OutcomeCode,
  type RetryPolicy,
  type RunnableTool,
  type SandboxVerdict,
  type SchemaChecker,
  type TerminalStatus,
  type Usage,
} from "@bulkhead/core";
import type { Report } from "../end/report.ts";
import type { RunVerdict } from "./run-verdict.ts";
import type { StopReason } from "./running-attempts.ts";

/** An end without its bill. */
export type Judged = Pick<Ending, "status" | "result" | "error">;

/** A run that came to an end of its own. */
interface Ended {
  ending: Omit<Ending, "timings">;
  bindMs: number;
  /** Of a call of somebody's server. */
  times?: McpTimes;
  /** Where its process died under it or broke the wire: what that process was to others. */
  crashed: SandboxVerdict["process"] | null;
}

/** A run that came to an end, or that this worker stopped; `used` is what its guest had used when it was dead. */
export type Ran =
  | Ended
  | { stopped: Exclude<StopReason, "deadline">; used: Usage; bindMs: number; times?: McpTimes };

/** The usage of an attempt in which nothing ran. */
export const NO_USAGE: Usage = { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 };

/** The usage with that of something else, which ran before it or beside it. */
export const addUsage = (usage: Usage, { cpuMs, wallMs, memoryPeakMib }: Usage): Usage => ({
  ...usage,
  cpuMs: usage.cpuMs + cpuMs,
  wallMs: usage.wallMs + wallMs,
  memoryPeakMib: Math.max(usage.memoryPeakMib, memoryPeakMib),
});

/** The outcomes in which the run was stopped or refused, each with its status and its permanent code. */
const STOPPED = {
  cpu: { status: "timed_out", code: "tool.cpu_limit" },
  wall: { status: "timed_out", code: "tool.wall_limit" },
  memory: { status: "failed", code: "tool.memory_limit" },
  result_too_large: { status: "failed", code: "tool.result_too_large" },
  output_invalid: { status: "failed", code: "tool.output_invalid" },
  crashed: { status: "failed", code: "sandbox.crashed" },
  unreachable: { status: "failed", code: "mcp.unreachable" },
  connection_lost: { status: "failed", code: "mcp.connection_lost" },
  tool_changed: { status: "failed", code: "mcp.tool_changed" },
  protocol_error: { status: "failed", code: "mcp.protocol_error" },
} as const satisfies Record<string, { status: TerminalStatus; code: OutcomeCode }>;

/** Refused effects that the tool let through as its own error. */
const REFUSED_EFFECTS: Readonly<Record<string, OutcomeCode>> = {
  egress_denied: "tool.egress_denied",
  network_limit: "tool.network_limit",
};

/**
 * The end that a verdict of the sandbox, or of a server's call, means; null where the run was aborted or never began: that is not the tool's
 * end. `own`: the refusal by which a call of a built-in tool's own ended, whose words are told in place of the script's.
 */
export function judge(
  verdict: RunVerdict,
  refusedEffects: ReadonlySet<string>,
  own: Extract<EffectAnswer, { ok: false }> | null = null,
): Judged | null {
  switch (verdict.outcome) {
    case "returned":
      return { status: "succeeded", result: readJson(verdict.json), error: null };
    case "threw": {
      // A tool can put any code on its errors; only one that was really given to it counts. The sandbox itself refuses a
      // body that is over its limit, which no worker hears of.
      const wasGiven = refusedEffects.has(verdict.code ?? "") || verdict.code === "network_limit";
      const refused = wasGiven && REFUSED_EFFECTS[verdict.code ?? ""];
      if (own !== null && own.code === verdict.code) {
        const code = refused || "tool.threw";
        const message = cut(own.message);
        return { status: "failed", result: null, error: { code, message, refusal: own.code } };
      }
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

/** Judges a run that this worker stopped for `reason`, or that never began. */
export function judgeUnfinished(
  verdict: RunVerdict,
  attempt: number,
  reason: StopReason,
): Judged | { stopped: Exclude<StopReason, "deadline"> } {
  if (verdict.outcome === "unavailable") {
    if (attempt < EXECUTION_ATTEMPTS_MAX) return { stopped: "no_sandbox" };
    return failed("failed", "sandbox.crashed", verdict.message);
  }
  if (reason !== "deadline") return { stopped: reason };
  return failed("timed_out", "execution.deadline", "The deadline passed before there was a result.");
}

const UNTRIED = "The run was not tried again, since the tool had asked for an effect and is not idempotent.";
const KILLED_FROM_OUTSIDE = "Something outside the sandbox ended it; call the tool again.";
const KILLED_ITSELF = "The process had run nothing else, so the tool counts as what ends it.";

/**
 * The end of a run whose process died and that is not tried again, and whether its tool is convicted of that. `crashed` is
 * what the process was to others. Whoever ends a process from outside (an operator, a machine out of memory) says nothing
 * of the tool.
 */
export function judgeCrash(
  crashed: SandboxVerdict["process"],
  { error, endedBy }: Pick<Ending, "error" | "endedBy">,
): { judged: Judged; convicted: boolean } {
  const fromOutside = endedBy === "system";
  const alone = fromOutside ? KILLED_FROM_OUTSIDE : KILLED_ITSELF;
  const message = `${error?.message ?? ""} ${crashed === "used" ? UNTRIED : alone}`;
  return {
    judged: failed("failed", "sandbox.crashed", message),
    convicted: crashed !== "used" && !fromOutside,
  };
}

export interface CheckOutputDeps {
  schemas: Pick<SchemaChecker, "checkResult">;
  report: Report;
}

/** Faults that one message tells of, and its characters. */
const FAULTS_TOLD_MAX = 5;
const MESSAGE_CHARS_MAX = 1_500;

const HOLDS_SECRETS =
  "The result does not match the tool's output schema. It holds secrets, so it is not told where.";

/**
 * Holds a result against the output schema of its tool: answers `covered`, which is `judged` with its secrets covered,
 * where the result as it was made does match. `key` names the tenant's schema.
 */
export async function judgeOutput(
  deps: CheckOutputDeps,
  { outputSchema }: Pick<RunnableTool, "outputSchema">,
  schema: { tenantId: string; key: string },
  judged: Judged,
  covered: Judged,
): Promise<Judged> {
  if (outputSchema === null || judged.status !== "succeeded") return covered;
  const data = dataOf(valueOf(forModel(judged.result)));
  const message = await whyInvalid(deps, schema, outputSchema, data);
  if (message === null) return covered;
  // A fault's path is made of the result's own keys, and cut to a length.
  return failed("failed", "tool.output_invalid", covered === judged ? message : HOLDS_SECRETS);
}

async function whyInvalid(
  { schemas, report }: CheckOutputDeps,
  { tenantId, key }: { tenantId: string; key: string },
  schema: NonNullable<RunnableTool["outputSchema"]>,
  result: Json,
): Promise<string | null> {
  try {
    const faults = await schemas.checkResult(tenantId, key, schema, result);
    if (faults.length === 0) return null;
    const told = faults.slice(0, FAULTS_TOLD_MAX).map(({ path, message }) => `${path}: ${message}`);
    const more = faults.length > told.length ? `; and ${faults.length - told.length} more` : "";
    return cut(`The result does not match the tool's output schema: ${told.join("; ")}${more}.`);
  } catch (error) {
    // The run is over and can't be had back: what nobody could check must not pass as checked.
    report("checking a result failed", error);
    return "The result could not be checked against the tool's output schema: too many checks wait; call the tool again.";
  }
}

const cut = (text: string): string =>
  text.length > MESSAGE_CHARS_MAX ? `${text.slice(0, MESSAGE_CHARS_MAX).toWellFormed()}…` : text;

/** Whether the tool's policy asks for another try after such an error. */
export const asksForRetry = ({ on }: RetryPolicy, { code }: ExecutionError): boolean =>
  on.some((named) => named === code);

/**
 * How long to wait before the next try where so many have failed; milliseconds. The pause that the error asks for goes
 * before the planned one.
 */
export function retryDelayMs(retry: RetryPolicy, { retryAfterMs }: ExecutionError, failures: number): number {
  const planned = retryAfterMs ?? backoffMs(retry, failures);
  return planned * (1 + Math.random() * (retry.jitter ?? RETRY_JITTER_DEFAULT));
}

/** The planned pause before the next try where so many have failed, without jitter. */
export function backoffMs(retry: Omit<RetryPolicy, "on">, failures: number): number {
  const { delaysMs = [], factor = RETRY_FACTOR_DEFAULT, maxMs = RETRY_BACKOFF_MS_MAX } = retry;
  const listed = delaysMs[Math.min(failures, delaysMs.length) - 1];
  return listed ?? Math.min(retry.backoffMs * factor ** (failures - 1), maxMs);
}
