import { attemptName, type AttemptKey } from "@bulkhead/core";

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
  /** When the renewal was asked for that the database last granted, by this process's monotonic clock; null while unclaimed. */
  confirmedAt: number | null;
  stop: (reason: StopReason) => void;
}

/** The attempts that this worker holds, and the way to stop each. */
export class RunningAttempts {
  readonly #running = new Map<string, Running>();
  readonly #taken = new Set<string>();

  /**
   * To be asked before anything of an attempt is done: answers how to give it back, or null where it was taken before and
   * not given back. What is handed out twice may come to the same worker, and who holds it then could not tell both apart.
   */
  take(attempt: AttemptKey): (() => void) | null {
    const name = attemptName(attempt);
    if (this.#taken.has(name)) return null;
    this.#taken.add(name);
    return () => void this.#taken.delete(name);
  }

  /**
   * `slot` is the attempt under which the queue counts it, null where the queue doesn't know it; `leaseFrom` is null
   * where it is not claimed yet. Answers how to let go of it.
   */
  hold(
    attempt: AttemptKey,
    stop: (reason: StopReason) => void,
    slot: AttemptKey | null = attempt,
    leaseFrom: number | null = performance.now(),
  ): () => void {
    const running = { attempt, slot, stop, confirmedAt: leaseFrom };
    const name = attemptName(attempt);
    this.#running.set(name, running);
    return () => {
      if (this.#running.get(name) === running) this.#running.delete(name);
    };
  }

  /**
   * The database has renewed the lease of this attempt, which was asked for at `askedAt`: who is stopped between the two
   * must not trust it for longer than it holds.
   */
  confirm(executionId: string, attempt: number, askedAt: number): void {
    const running = this.#running.get(attemptName({ executionId, attempt }));
    if (running) running.confirmedAt = Math.max(running.confirmedAt ?? askedAt, askedAt);
  }

  /** How long ago the lease was last known to hold, in milliseconds; infinite where there is none. */
  unconfirmedMs(attempt: AttemptKey): number {
    const confirmedAt = this.#running.get(attemptName(attempt))?.confirmedAt ?? Number.NEGATIVE_INFINITY;
    return performance.now() - confirmedAt;
  }

  get size(): number {
    return this.#running.size;
  }

  /** Those that have a lease. */
  list(): AttemptKey[] {
    return [...this.#running.values()].flatMap(({ attempt, confirmedAt }) =>
      confirmedAt === null ? [] : [attempt],
    );
  }

  /** The slots that these attempts hold in the queue. */
  slotsOf(attempts: readonly AttemptKey[]): AttemptKey[] {
    return attempts.flatMap((attempt) => this.#running.get(attemptName(attempt))?.slot ?? []);
  }

  /** Stops the run of exactly this attempt, if it is here. */
  stop(executionId: string, attempt: number, reason: StopReason): void {
    this.#running.get(attemptName({ executionId, attempt }))?.stop(reason);
  }

  stopAll(reason: StopReason): void {
    for (const { stop } of this.#running.values()) stop(reason);
  }
}
