import type { SandboxOutcome, SandboxRun } from "@bulkhead/core";
import type { SandboxProcess } from "./sandbox-process.ts";
import type { Waiter, WaitingLine } from "./waiting-line.ts";

/** The outcome of asking for a process: one that is reserved for it, or why there is none. */
export type Bound = SandboxProcess | Exclude<SandboxOutcome, { outcome: "returned" | "threw" }>;

/** A run that waits for a process. */
export interface WaitingRun extends Waiter {
  /** In a process that has served nobody. */
  readonly alone: boolean;
  /** Ends the waiting. */
  take(bound: Bound): void;
}

/** The outcome for a run whose signal fired. */
export const ABORTED = { outcome: "aborted", message: "The run was stopped before it began." } as const;

/** The line, and when a wait in it changes. */
export interface WaitInLineDeps {
  line: WaitingLine<WaitingRun>;
  /** From when on a wait is impatient. */
  patienceMs: number;
  /** From when on it is desperate. */
  computingPatienceMs: number;
  /** Looks who of the line can be served now. */
  serve: () => void;
}

/** Puts a run in line; resolves when it has its process, or its signal fired. */
export function waitInLine(deps: WaitInLineDeps, run: SandboxRun, signal: AbortSignal): Promise<Bound> {
  const { line, patienceMs, computingPatienceMs, serve } = deps;
  const { tenantId, isolateKey, depth, alone } = run;
  // Its tenant's processes may all be held by runs that wait for it.
  const atOnce = alone || depth > 1;
  return new Promise((resolve) => {
    const onAbort = (): void => waiter.take(ABORTED);
    const losePatience = setTimeout(() => {
      waiter.impatient = true;
      serve();
    }, patienceMs);
    const despair = setTimeout(() => {
      waiter.desperate = true;
      serve();
    }, computingPatienceMs);
    const waiter: WaitingRun = {
      tenantId,
      isolateKey,
      depth,
      alone,
      impatient: atOnce,
      desperate: atOnce,
      take: (bound) => {
        clearTimeout(losePatience);
        clearTimeout(despair);
        signal.removeEventListener("abort", onAbort);
        line.remove(waiter, !("outcome" in bound));
        resolve(bound);
      },
    };
    signal.addEventListener("abort", onAbort, { once: true });
    line.add(waiter);
    serve();
  });
}
