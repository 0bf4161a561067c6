import type { ScrubRule } from "@bulkhead/core";

/** A rule as outsiders see it: never its value. */
export const presentScrubRule = ({ id, name, pattern, wholeWordsOnly, createdBy, createdAt }: ScrubRule) => ({
  id,
  name,
  kind: pattern === null ? ("value" as const) : ("pattern" as const),
  pattern: pattern ?? undefined,
  wholeWordsOnly,
  createdBy,
  createdAt: createdAt.toISOString(),
});
