import type { EgressRefusal, EgressRefused } from "@bulkhead/core";

/** Ends a fetch with an answer that the tool may see; thrown within the broker, never out of it. */
export class Refusal extends Error {
  readonly code: EgressRefusal;

  constructor(code: EgressRefusal, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }

  toAnswer(): EgressRefused {
    return { ok: false, code: this.code, message: this.message };
  }
}
