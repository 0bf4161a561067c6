/** The parts of an ended execution that can be erased, in the order in which they are listed. */
export const ERASABLE_PARTS = ["arguments", "result", "events"] as const;
export type ErasablePart = (typeof ERASABLE_PARTS)[number];

/** Days from the end on; `none`: until the end has been answered and its callback delivered, plus a minute at most. */
type RetentionTerm = "none" | number;

/**
 * How long parts of an execution are kept; a missing part has no setting. `result` includes the text of the error,
 * `events` all log lines and emitted values. Executions themselves are kept no longer than the platform keeps them.
 */
export type Retention = { [Part in ErasablePart]?: RetentionTerm | undefined };

/** The longest retention; it equals the platform's own for executions. */
export const RETENTION_DAYS_MAX = 3_650;

/** The retention of a call with `store: false`. */
export const NOTHING_KEPT = {
  arguments: "none",
  result: "none",
  events: "none",
} as const satisfies Retention;

/** Whether no part is kept, whoever set that. */
export const keepsNothing = (retention: Retention | null): boolean =>
  retention !== null && ERASABLE_PARTS.every((part) => retention[part] === "none");

/** The retention of a call, part by part: the tool's setting, else its tenant's. Null if neither sets anything. */
export function retentionOf(tool: Retention | null, tenant: Retention | null): Retention | null {
  if (tool === null && tenant === null) return null;
  const said = ERASABLE_PARTS.map((part) => [part, tool?.[part] ?? tenant?.[part]] as const);
  const known = said.filter(([, term]) => term !== undefined);
  return known.length === 0 ? null : Object.fromEntries(known);
}
