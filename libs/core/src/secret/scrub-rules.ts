import type { ScrubCount, ScrubRule } from "./scrub-rule.ts";
import type { ScrubberOpening } from "./scrubber.ts";

export interface ScrubRuleStore {
  /** `sealed` is the value of a rule that has one. Null where the tenant has `rulesMax` of them. Throws `scrub_rule.name_taken`. */
  create(rule: ScrubRule, sealed: string | null, rulesMax: number): Promise<ScrubRule | null>;
  /** Oldest first, with sealed values. */
  list(tenantId: string): Promise<(ScrubRule & { sealed: string | null })[]>;
  /** The rule that is gone now; null where there was none. */
  delete(tenantId: string, id: string): Promise<ScrubRule | null>;
}

export interface ScrubCountStore {
  /** Adds to the former counts; nothing is counted for a tenant that is gone or being deleted. */
  add(tenantId: string, counts: ReadonlyMap<string, number>): Promise<void>;
  /** The most first. */
  list(tenantId: string): Promise<ScrubCount[]>;
}

/** A tenant's own rules for the scrubber, besides its secrets. */
export interface TenantScrubRules {
  /** Throws `vault.unreadable` where a value can't be opened. */
  open(tenantId: string): Promise<Pick<ScrubberOpening, "needles" | "patterns">>;
}

/** Whether a pattern can be looked for in any text in time that is linear in it. */
export interface PatternChecker {
  /** Why it can't, each reason in a sentence; none where it can. */
  check(source: string): readonly string[];
}
