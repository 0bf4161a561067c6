import type { Ending, LateBill, Timings, Usage } from "@bulkhead/core";
import { failed } from "./judge.ts";
import { NO_USAGE } from "./no-usage.ts";
import type { Ran } from "./run-in-sandbox.ts";
import { roundMs } from "./stopwatch.ts";

/**
 * The end of an execution that another one's tool asked for. It has no queue to go back to: what stops it ends it. Null
 * where someone else has ended it already.
 */
export function nestedEnding(
  ran: Ran | { refused: Pick<Ending, "status" | "result" | "error"> },
): Ending | null {
  if ("refused" in ran) return { ...ran.refused, usage: NO_USAGE, timings: {}, endedBy: null };
  if ("ending" in ran) return { ...ran.ending, timings: timingsOf(ran.bindMs, ran.ending.usage) };
  const stopped = STOPPED[ran.stopped];
  return stopped && { ...stopped, ...nestedBill(ran) };
}

/** What a stopped run used. */
export const nestedBill = ({ used, bindMs }: Extract<Ran, { stopped: unknown }>): LateBill => ({
  usage: used,
  timings: timingsOf(bindMs, used),
  endedBy: "worker",
});

const timingsOf = (bindMs: number, { wallMs }: Usage): Timings => ({
  bind: roundMs(bindMs),
  run: roundMs(wallMs),
});

const STOPPED = {
  superseded: null,
  caller_gone: failed("cancelled", "execution.cancelled", "The execution that called the tool has ended."),
  shutdown: failed("lost", "execution.lost", "The worker stopped while the tool ran for another."),
  no_sandbox: failed("failed", "sandbox.crashed", "No sandbox process could be started."),
} as const;
