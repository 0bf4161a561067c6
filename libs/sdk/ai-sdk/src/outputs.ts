import { BulkheadError, type Execution, type ProblemDetail } from "@bulkhead/client";

/** The key of what is no tool's result; results that are more than data have it too. */
export const MARK = "$bulkhead";

/** What a call yields while it goes on: for those who watch, not for the model. */
export interface CallProgress {
  [MARK]: "progress";
  executionId: string;
  status: "awaiting_approval" | "queued" | "running";
  /** While a person has to allow the call: words for it, the approval that they answer, and until when they may. */
  message?: string;
  approvalId?: string;
  expiresAt?: string;
  /** What the tool emitted last. */
  value?: unknown;
  /** The line that it logged last. */
  log?: { level: "debug" | "info" | "warn" | "error"; text: string };
}

/** A call that gave no result: it was refused, or its tool failed, was cancelled or denied. */
export interface FailedCall {
  [MARK]: "error";
  /** The API's or the outcome's, such as `tool.arguments_invalid` or `tool.threw`. */
  code: string;
  /** What was refused to the tool, such as `not_found`. */
  refusal?: string;
  message: string;
  /** The faults of the arguments, by path. */
  errors?: readonly ProblemDetail[];
  /** From then on the same call may do better; milliseconds. */
  retryAfterMs?: number;
  /** Left out where the call was not accepted. */
  executionId?: string;
}

const isMarked = (output: unknown, mark: string): boolean =>
  typeof output === "object" && output !== null && MARK in output && output[MARK] === mark;

export const isCallProgress = (output: unknown): output is CallProgress => isMarked(output, "progress");
export const isFailedCall = (output: unknown): output is FailedCall => isMarked(output, "error");

/** What a call gives whose execution has ended: the tool's result as it is, or its failure. */
export function outputOf({ id, status, isError, result, error }: Execution): unknown {
  if (status === "succeeded" && !isError) return result ?? null;
  const failed: FailedCall = {
    [MARK]: "error",
    code: error?.code ?? `execution.${status}`,
    message: error?.message ?? `The execution ended: ${status}.`,
    executionId: id,
  };
  return {
    ...failed,
    ...(error?.refusal !== undefined && { refusal: error.refusal }),
    ...(error?.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  };
}

/** What a model can read and mend; null for what is its operator's, such as a wrong key or an API that is not there. */
export function refusalOf(error: unknown): FailedCall | null {
  if (!(error instanceof BulkheadError)) return null;
  const { code, status, message, problem, errors, retryAfterMs } = error;
  if (status < 400 || status >= 500 || status === 401 || code === "auth.forbidden") return null;
  return {
    [MARK]: "error",
    code,
    message: problem?.detail ?? message,
    ...(errors.length > 0 && { errors }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}
