import type { Execution, OutcomeCode } from "@bulkhead/domain";
import { countBy, type Meter } from "@bulkhead/telemetry";

/** What a caller who waited got: the result, an end that the tool or its callers brought about, or our failure. */
export type CallOutcome = "ok" | "tool_error" | "platform_error";

/** Ends that are ours. A process that dies may be its tool's doing; until that is clear it counts as ours. */
const OURS: readonly OutcomeCode[] = ["execution.lost", "sandbox.crashed", "vault.unreadable"];

export const callCounter = (meter: Meter): ((outcome: CallOutcome) => void) =>
  countBy(meter, "bulkhead_sync_calls_total");

/**
 * A deadline is never ours, not even where nothing ran before it: the row doesn't say whether it waited for a worker or for
 * its tenant's own cap and rate, and no tenant may wake the operator by filling its cap. A platform that is too slow
 * shows in what tells the two waits apart: `phase="dwell"` of the workers, startable executions, missing slots.
 */
export const callOutcome = ({ error }: Pick<Execution, "error">): CallOutcome =>
  error === null ? "ok" : OURS.includes(error.code) ? "platform_error" : "tool_error";
