import type { EffectRefusal, OutsideRefused } from "@bulkhead/core";

/** Ends a query or a mail with an answer that the tool may see, by any code of an effect's. */
export class OutsideRefusal extends Error {
  readonly code: EffectRefusal;

  constructor(code: EffectRefusal, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }

  toAnswer(): OutsideRefused {
    return { ok: false, code: this.code, message: this.message };
  }
}
