/**
 * A tenant's own rule for covering text besides its secrets: all matches of a pattern, or one value in all its encodings.
 */
export interface ScrubRule {
  id: string;
  tenantId: string;
  name: string;
  /** The source of a regular expression; null: the rule is about a value, which nobody sees. */
  pattern: string | null;
  /** A short or common value: covered only where it stands as a whole word. */
  wholeWordsOnly: boolean;
  /** The key that made it. */
  createdBy: string;
  createdAt: Date;
}

/** How often something was covered; `kind` as in `Scrubber.counts`. */
export interface ScrubCount {
  kind: string;
  count: number;
}

export const SCRUB_RULES_MAX = 100;
export const SCRUB_RULE_NAME = /^[a-z0-9][a-z0-9_.-]*$/;
export const SCRUB_RULE_NAME_CHARS_MAX = 64;
export const SCRUB_PATTERN_CHARS_MAX = 500;

/** Under which a rule's value is sealed. */
export const scrubPurpose = (ruleId: string): string => JSON.stringify(["scrub", ruleId]);

/** The kind under which matches of a tenant's own pattern are counted, apart from the platform's patterns. */
export const ruleKind = (name: string): string => `rule:${name}`;
