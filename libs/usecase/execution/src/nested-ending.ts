import type { Ending } from "@bulkhead/domain";
import { failed } from "./judge.ts";
import type { Ran } from "./run-in-sandbox.ts";
import { roundMs } from "./stopwatch.ts";

const NO_USAGE = { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, networkRequests: 0 } as const;

/**
 * The end of an execution that another one's tool asked for. It has no queue to go back to: what stops it ends it. Null
 * where someone else has ended it already.
 */
export function nestedEnding(
  ran: Ran | { refused: Pick<Ending, "status" | "result" | "error"> },
): Ending | null {
  if ("refused" in ran) return { ...ran.refused, usage: NO_USAGE, timings: {}, endedBy: null };
  if ("ending" in ran) {
    const timings = { bind: roundMs(ran.bindMs), run: roundMs(ran.ending.usage.wallMs) };
    return { ...ran.ending, timings };
  }
  const stopped = STOPPED[ran.stopped];
  return stopped && { ...stopped, usage: NO_USAGE, timings: {}, endedBy: "worker" };
}

const STOPPED = {
  superseded: null,
  caller_gone: failed("cancelled", "execution.cancelled", "The execution that called the tool has ended."),
  shutdown: failed("lost", "execution.lost", "The worker stopped while the tool ran for another."),
  no_sandbox: failed("failed", "sandbox.crashed", "No sandbox process could be started."),
} as const;
