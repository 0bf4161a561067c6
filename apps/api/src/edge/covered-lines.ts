import type { Scrubber } from "@bulkhead/core";
import { coverReport } from "@bulkhead/executions";
import { shownError } from "@bulkhead/process/telemetry";

/** How log lines about requests show what went wrong: an error as it is where nothing in it is secret, else its text, covered. */
export const coveredLines = (scrubber: Pick<Scrubber, "text">) => ({
  err(error: unknown): unknown {
    let shown = error;
    coverReport((_what, covered) => void (shown = covered), scrubber)("", error);
    return shownError(shown);
  },
  internal: (text: unknown): unknown => (typeof text === "string" ? scrubber.text(text) : text),
});
