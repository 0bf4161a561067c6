import type { AttemptKey } from "@bulkhead/domain";

/** Why a run is stopped before its tool is done. */
export type StopReason =
  /** Someone else ended or took over the execution: this holder may write nothing any more. */
  | "superseded"
  /** The execution whose tool asked for this one has ended, or wants no answer any more. */
  | "caller_gone"
  /** The execution's deadline passed. */
  | "deadline"
  /** This worker stops. */
  | "shutdown"
  /** No sandbox could be had: another try may find one. */
  | "no_sandbox";

interface Running {
  attempt: AttemptKey;
  slot: AttemptKey | null;
  /** When the renewal was asked for that the database last granted, by this process's monotonic clock. */
  confirmedAt: number;
  stop: (reason: StopReason) => void;
}

/** The attempts that this worker holds, and the way to stop each. */
export class RunningAttempts {
  readonly #running = new Map<string, Running>();

  /**
   * `slot` is the attempt under which the queue counts it, null where the queue doesn't know it. Answers how to let go
   * of it.
   */
  hold(
    attempt: AttemptKey,
    stop: (reason: StopReason) => void,
    slot: AttemptKey | null = attempt,
    leaseFrom: number = performance.now(),
  ): () => void {
    const running = { attempt, slot, stop, confirmedAt: leaseFrom };
    this.#running.set(attempt.executionId, running);
    return () => {
      if (this.#running.get(attempt.executionId) === running) this.#running.delete(attempt.executionId);
    };
  }

  /**
   * The database has renewed the lease of this attempt, which was asked for at `askedAt`: who is stopped between the two
   * must not trust it for longer than it holds.
   */
  confirm(executionId: string, attempt: number, askedAt: number): void {
    const running = this.#running.get(executionId);
    if (running?.attempt.attempt === attempt) running.confirmedAt = Math.max(running.confirmedAt, askedAt);
  }

  /** How long ago the lease was last known to hold, in milliseconds; infinite for what does not run here. */
  unconfirmedMs(executionId: string): number {
    const running = this.#running.get(executionId);
    return running ? performance.now() - running.confirmedAt : Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#running.size;
  }

  list(): AttemptKey[] {
    return [...this.#running.values()].map(({ attempt }) => attempt);
  }

  /** The slots that these executions hold in the queue. */
  slotsOf(attempts: readonly AttemptKey[]): AttemptKey[] {
    return attempts.flatMap(({ executionId }) => this.#running.get(executionId)?.slot ?? []);
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
