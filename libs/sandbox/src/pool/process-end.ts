import type { EndingLayer, SandboxOutcome } from "@bulkhead/core";
import type { KillReason } from "./process-losses.ts";

/** How a process exited, as node tells it; both null where it never started. */
export interface ProcessExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Whether a process goes with the run that ended so: what a guest leaves behind at a limit is not worth the risk. */
export const endsProcess = ({ outcome }: SandboxOutcome): boolean =>
  outcome === "cpu" || outcome === "wall" || outcome === "memory" || outcome === "crashed";

/** The reason by which the end of its process is counted. */
export function killReasonOf({ outcome }: SandboxOutcome): KillReason {
  const isCounted = outcome === "cpu" || outcome === "wall" || outcome === "memory" || outcome === "aborted";
  return isCounted ? outcome : "crashed";
}

/** The outcome of a run whose process died and was not ended by the worker. */
export function outcomeOfDeath({ code, signal }: ProcessExit, outOfMemory: boolean): SandboxOutcome {
  if (outOfMemory) return { outcome: "memory", message: "The tool needed more memory than it may use." };
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  return { outcome: "crashed", message: `The sandbox process ended ${how} before the tool did.` };
}

/** The layer that ended a process; a SIGKILL that was not the worker's is the system's. */
export function layerOfDeath({ signal }: ProcessExit, byWorker: boolean): EndingLayer {
  if (byWorker) return "worker";
  return signal === "SIGKILL" ? "system" : "process";
}

/** The end of a process that did what none of ours does. */
export const brokeRules = (how: string): SandboxOutcome => ({
  outcome: "crashed",
  message: `The sandbox process broke its rules: ${how}.`,
});
