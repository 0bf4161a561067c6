import type { AttemptKey } from "@bulkhead/domain";

/** Why a run is stopped before its tool is done. */
export type StopReason =
  /** Someone else ended or took over the execution: this holder may write nothing any more. */
  | "superseded"
  /** The execution's deadline passed. */
  | "deadline"
  /** This worker stops. */
  | "shutdown";

interface Running {
  attempt: AttemptKey;
  stop: (reason: StopReason) => void;
}

/** The attempts that this worker holds, and the way to stop each. */
export class RunningAttempts {
  readonly #running = new Map<string, Running>();

  /** Answers how to let go of it. */
  hold(attempt: AttemptKey, stop: (reason: StopReason) => void): () => void {
    const running = { attempt, stop };
    this.#running.set(attempt.executionId, running);
    return () => {
      if (this.#running.get(attempt.executionId) === running) this.#running.delete(attempt.executionId);
    };
  }

  get size(): number {
    return this.#running.size;
  }

  list(): AttemptKey[] {
    return [...this.#running.values()].map(({ attempt }) => attempt);
  }

  /** Stops the run of exactly this attempt, if it is here. */
  stop(executionId: string, attempt: number, reason: StopReason): void {
    const running = this.#running.get(executionId);
    if (running?.attempt.attempt === attempt) running.stop(reason);
  }

  stopAll(reason: StopReason): void {
    for (const { stop } of this.#running.values()) stop(reason);
  }
}
