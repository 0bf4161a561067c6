export interface Rule {
  rule: string;
  /** Of the arguments; `type: "object"` is added. */
  schema: Record<string, unknown>;
  /** Arguments that match. */
  valid: unknown[];
  /** Arguments that don't, each with the place that is to be named. */
  invalid: [value: unknown, path: string][];
}

/** A schema for the argument `v` alone. */
export const ofV = (v: unknown, more: object = {}) => ({ properties: { v }, ...more });
/** Values of `v` that match, and that don't. */
export const values = (matching: unknown[], others: unknown[]): Pick<Rule, "valid" | "invalid"> => ({
  valid: matching.map((v) => ({ v })),
  invalid: others.map((v) => [{ v }, "arguments.v"]),
});
