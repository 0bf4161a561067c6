import type { Problem, ToolResult } from "./generated/types.ts";

/** A fault's place and words, as problems list them. */
export type ProblemDetail = NonNullable<Problem["errors"]>[number];

/** Codes of what happens before there is an answer of the API's, or instead of one. */
export type ClientCode =
  /** There was no connection, or it broke before the answer was whole. */
  | "client.unreachable"
  /** The answer took longer than the call allows. */
  | "client.timed_out"
  /** Something else than the API answered, such as a proxy's page. */
  | "client.answer_invalid"
  /** A webhook's signature is none of the secret's, or it lacks a header. */
  | "webhook.unsigned"
  /** A webhook was signed too long ago, or for a time to come: somebody may send it again. */
  | "webhook.outside_window";

export interface BulkheadErrorInit {
  code: string;
  message: string;
  status?: number | undefined;
  retryable?: boolean | undefined;
  retryAfterMs?: number | undefined;
  problem?: Problem | undefined;
  cause?: unknown;
}

/** Why a call was not served. An aborted call rejects with its signal's reason instead, as `fetch` does. */
export class BulkheadError extends Error {
  override name = "BulkheadError";
  /** Permanent, of the form `noun.problem`: the API's, or one of `ClientCode`. */
  readonly code: string;
  /** The answer's HTTP status; 0 where there was no answer. */
  readonly status: number;
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean;
  /** The faults of what was sent, by path; empty where none is named. */
  readonly errors: readonly ProblemDetail[];
  /** How long the API asks to wait before the call is made again; milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The whole answer of the API, if it was one. */
  readonly problem: Problem | undefined;

  constructor({
    code,
    message,
    status = 0,
    retryable = false,
    retryAfterMs,
    problem,
    cause,
  }: BulkheadErrorInit) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.retryable = retryable;
    this.retryAfterMs = retryAfterMs;
    this.problem = problem;
    this.errors = Array.isArray(problem?.errors) ? problem.errors : [];
  }

  /** By which operators find the request in their logs. */
  get requestId(): string | undefined {
    // A problem may come from something before the API, which knows nothing of its fields.
    return (this.problem as Partial<Problem> | undefined)?.meta?.requestId;
  }
}

/** How an execution ended, as far as its failure is told. */
export type FailedEnd = Pick<ToolResult, "status" | "result" | "error"> & {
  executionId: string;
  tool: string;
};

/** The tool was run and failed, timed out, was cancelled or denied; `code` says how, such as `tool.threw`. */
export class ToolFailed extends BulkheadError {
  override name = "ToolFailed";
  readonly executionId: string;
  readonly tool: string;
  /** How the execution ended: `failed`, `timed_out`, `cancelled`, `denied` or `lost`. */
  readonly executionStatus: FailedEnd["status"];
  /** The code of what was refused to it, such as `not_found` of a built-in tool; undefined where the tool itself failed. */
  readonly refusal: NonNullable<FailedEnd["error"]>["refusal"];
  /** What it gave nevertheless; null mostly. */
  readonly result: unknown;

  constructor({ executionId, tool, status, result, error }: FailedEnd) {
    super({
      code: error?.code ?? `execution.${status}`,
      message: error?.message ?? `The execution ended: ${status}.`,
      status: 200,
      retryAfterMs: error?.retryAfterMs,
    });
    this.executionId = executionId;
    this.tool = tool;
    this.executionStatus = status;
    this.refusal = error?.refusal;
    this.result = result;
  }
}
