import type { Ending, Execution } from "@bulkhead/core";
import { within } from "@bulkhead/process/telemetry";
import type { AttemptLog } from "./attempt-log.ts";
import { endAttempt, endConvicted, type EndAttemptDeps } from "./end-attempt.ts";
import type { HeldAttempt } from "./tool-calls.ts";

/** `endAttempt`, or `endConvicted`, as a step of the attempt's trace: the row is written, then the stream is told. */
export const persistEnd = (
  deps: EndAttemptDeps,
  held: HeldAttempt,
  ending: Ending,
  log: AttemptLog,
  convicted: boolean,
): Promise<Execution | null> =>
  within(
    held.span.begin("persist end"),
    async (span) => {
      const ended = await (convicted ? endConvicted : endAttempt)(deps, held, ending, log);
      span.set({ "bulkhead.outcome": ended?.status ?? "superseded" });
      if (ended) span.event("end told to the stream");
      return ended;
    },
    { threw: () => "service.unavailable" },
  );
