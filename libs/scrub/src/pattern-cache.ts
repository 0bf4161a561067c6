import type { ScrubPattern } from "@bulkhead/core";
import { compileRe2, type RE2JS } from "@bulkhead/process/patterns";
import { checkPattern } from "./check-pattern.ts";

export interface TenantPattern {
  name: string;
  compiled: RE2JS;
}

const COMPILED_MAX = 1_000;

/** Patterns by their source, compiled once for all executions. */
export class PatternCache {
  readonly #compiled = new Map<string, RE2JS>();

  /** Throws for a pattern that `checkPattern` refuses: no such pattern is registered. */
  get({ name, source }: ScrubPattern): TenantPattern {
    const known = this.#compiled.get(source);
    if (known) return { name, compiled: known };
    const compiled = checkPattern(source).length === 0 ? compileRe2(source) : null;
    if (!compiled) throw new Error(`the pattern ${name} was never checked`);
    const [oldest] = this.#compiled.keys();
    if (oldest !== undefined && this.#compiled.size >= COMPILED_MAX) this.#compiled.delete(oldest);
    this.#compiled.set(source, compiled);
    return { name, compiled };
  }
}
