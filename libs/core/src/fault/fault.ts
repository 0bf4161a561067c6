import { FAULTS, type FaultCode } from "./catalogue.ts";

/** A fault at one place of the input; `path` is dotted, from the body's root. */
export interface FaultDetail {
  path: string;
  message: string;
  /** The position in a text; line and column count from 1. */
  line?: number;
  column?: number;
  /** The rule that was broken, where the input is checked against named ones. */
  rule?: string;
}

/** The rest of a bounded amount. */
export interface Quota {
  /** The name of the bound, in letters, digits and hyphens. */
  name: string;
  /** All of it. */
  limit: number;
  /** In how many seconds it may all be used again; left out where it comes back by other means than time. */
  windowSeconds?: number;
  remaining: number;
  /** Seconds until more remains, if known. */
  resetSeconds?: number;
}

export interface FaultOptions {
  /** Tells the caller what is wrong and what to do next. It holds nothing that the caller may not see. */
  detail?: string;
  /** The single faults of an input. */
  errors?: FaultDetail[];
  /** For the log only. */
  internal?: string;
  cause?: unknown;
  /**
   * When a repeat may succeed; becomes `Retry-After`. An unavailable service gets `UNAVAILABLE_RETRY_SECONDS` by default.
   */
  retryAfterSeconds?: number;
  /** The exceeded bounds; become `RateLimit` and `RateLimit-Policy`. */
  quotas?: Quota[];
}

/** An unavailable service is mostly a process that is being restarted. */
const UNAVAILABLE_RETRY_SECONDS = 1;

const retryAfter = (code: FaultCode): number | undefined =>
  FAULTS[code].status === 503 && FAULTS[code].retryable ? UNAVAILABLE_RETRY_SECONDS : undefined;

/** The caller's mistake or our failure, identified by its code; only the edge renders it. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: FaultCode;
  readonly detail: string;
  readonly errors: FaultDetail[];
  readonly internal: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly quotas: Quota[];

  constructor(code: FaultCode, options: FaultOptions = {}) {
    super(options.internal ?? options.detail ?? FAULTS[code].title, { cause: options.cause });
    this.code = code;
    this.detail = options.detail ?? FAULTS[code].title;
    this.errors = options.errors ?? [];
    this.internal = options.internal;
    this.retryAfterSeconds = options.retryAfterSeconds ?? retryAfter(code);
    this.quotas = options.quotas ?? [];
  }

  get status(): number {
    return FAULTS[this.code].status;
  }
  get title(): string {
    return FAULTS[this.code].title;
  }
  get retryable(): boolean {
    return FAULTS[this.code].retryable;
  }
}

/**
 * An error's message for the log. If several addresses were tried in vain, it joins the message of each; the error around
 * them says nothing.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
