import { endedByPlatform, type Execution } from "@bulkhead/core";
import { countBy, type Meter } from "@bulkhead/process/telemetry";

/** A caller that waited got the result, an end that the tool or its callers brought about, or our failure. */
export type CallOutcome = "ok" | "tool_error" | "platform_error";

export const callCounter = (meter: Meter): ((outcome: CallOutcome) => void) =>
  countBy(meter, "bulkhead_sync_calls_total");

/**
 * A deadline is never ours, not even where nothing ran before it: the row doesn't say whether it waited for a worker or for
 * its tenant's own cap and rate, and no tenant may wake the operator by filling its cap. A platform that is too slow
 * shows in what tells the two waits apart: `bulkhead_startable_wait_seconds` of the workers.
 */
export const callOutcome = (end: Pick<Execution, "error" | "endedBy" | "usage">): CallOutcome =>
  end.error === null ? "ok" : endedByPlatform(end) ? "platform_error" : "tool_error";
