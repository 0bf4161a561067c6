import { type AttemptKey, type ClaimWithEnd, type ExecutionStore, Fault } from "@bulkhead/core";
import { setTimeout as delay } from "node:timers/promises";
import type { Report } from "../end/report.ts";
import type { RunningAttempts } from "./running-attempts.ts";

export interface LateClaimDeps {
  executions: Pick<ExecutionStore, "claim">;
  running: RunningAttempts;
  report: Report;
  workerId: string;
  leaseMs: number;
}

/** How long a run may go on unclaimed: longer than a short one takes under load, shorter than anyone notices. Milliseconds. */
const UNCLAIMED_MS_MAX = 100;
/** A database that is away for a moment stops no run: so long after the first try a claim is tried again. Milliseconds. */
const CLAIM_TRIED_MS_MAX = 4_000;
const CLAIM_BACKOFF_MS = 100;

/**
 * The claim of an attempt whose run begins without one: made before the first thing that anybody could notice of it (an
 * event, an effect, a try that is put on record), after `UNCLAIMED_MS_MAX`, or with the end, whichever comes first. Until
 * then others may run the same; whoever claims first counts, and what the others did is thrown away unseen.
 */
export class LateClaim {
  readonly #deps: LateClaimDeps;
  readonly #attempt: AttemptKey;
  readonly #beganAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly #settled = Promise.withResolvers<boolean>();
  #made: Promise<boolean> | undefined;
  #state: "open" | "held" | "refused" = "open";
  #leaseFrom: number | null = null;
  #hasFailed = false;
  #isClosed = false;

  /** `beganAt` is when its run began, by this process's monotonic clock. */
  constructor(deps: LateClaimDeps, attempt: AttemptKey, beganAt: number) {
    this.#deps = deps;
    this.#attempt = attempt;
    this.#beganAt = beganAt;
    this.#timer = setTimeout(() => void this.make(), UNCLAIMED_MS_MAX);
  }

  /** Whether the attempt is this worker's, or was until its end. */
  get isHeld(): boolean {
    return this.#state === "held";
  }

  /** Whether the run is to be thrown away. */
  get isRefused(): boolean {
    return this.#state === "refused";
  }

  /** Whether it was not made though nobody else had it: the database could not be asked, or not in time. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Whether the attempt is this worker's, once that is known; never rejects. */
  get settled(): Promise<boolean> {
    return this.#settled.promise;
  }

  /**
   * Whether what was read at the start is too old to be acted on: a worker that was stopped for longer than a lease lasts
   * does not know what was changed or forbidden meanwhile. A sweep hands the attempt out again.
   */
  get isStale(): boolean {
    return this.#ranMs >= this.#deps.leaseMs;
  }

  /** When the lease was asked for, by the monotonic clock; null while there is none. */
  get leaseFrom(): number | null {
    return this.#leaseFrom;
  }

  /** Claims it, if that has not been done. False: others have it, or the database was not reached, and its run is stopped. */
  make(): Promise<boolean> {
    this.#made ??= this.#settle(this.#claim());
    return this.#made;
  }

  /** Writes the end, with the claim in it where there is none yet; null, like `write`, where others have it. */
  async endWith<T>(write: (claim: ClaimWithEnd | null) => Promise<T | null>): Promise<T | null> {
    if (this.#made === undefined && this.isStale) {
      this.#hasFailed = true;
      this.close();
    }
    if (this.#made) return (await this.#made) ? write(null) : null;
    const { workerId } = this.#deps;
    // An end may be written late, and again: it tells how long ago the run began at that moment.
    const ranMs = () => this.#ranMs;
    const written = write({
      workerId,
      get ranMs() {
        return ranMs();
      },
    });
    this.#made = this.#settle(written.then((ended) => ended !== null));
    return written;
  }

  /** For a run that is over: what was not claimed stays so, also what is being tried. */
  close(): void {
    this.#isClosed = true;
    this.#made ??= this.#settle(Promise.resolve(false));
  }

  async #settle(made: Promise<boolean>): Promise<boolean> {
    clearTimeout(this.#timer);
    const isHeld = await made.catch(() => {
      this.#hasFailed = true;
      return false;
    });
    this.#state = isHeld ? "held" : "refused";
    this.#settled.resolve(isHeld);
    return isHeld;
  }

  async #claim(): Promise<boolean> {
    const { running, report } = this.#deps;
    const { executionId, attempt } = this.#attempt;
    try {
      if (await this.#ask()) return true;
    } catch (error) {
      this.#hasFailed = true;
      report("claiming an attempt in the midst of its run failed; it is stopped", error);
    }
    // Before its run is told, which may look at it while it begins.
    this.#state = "refused";
    running.stop(executionId, attempt, "superseded");
    return false;
  }

  async #ask(): Promise<boolean> {
    const { executions, running, workerId, leaseMs } = this.#deps;
    const { executionId, attempt } = this.#attempt;
    const triedUntil = performance.now() + CLAIM_TRIED_MS_MAX;
    // A claim that was made and not answered is this worker's: nobody else here runs the attempt.
    let mayBeMine = false;
    for (let backoffMs = CLAIM_BACKOFF_MS; ; backoffMs *= 2) {
      this.#hasFailed = this.isStale;
      if (this.#isClosed || this.#hasFailed) return false;
      const askedAt = performance.now();
      try {
        const how = { ranMs: this.#ranMs, mayBeMine };
        const claimed = await executions.claim(this.#attempt, workerId, leaseMs, how);
        // Of one whose answer came too late a sweep makes the next attempt.
        if (claimed === null || performance.now() - askedAt >= leaseMs) return false;
        this.#leaseFrom = askedAt;
        running.confirm(executionId, attempt, askedAt);
        return true;
      } catch (error) {
        const isPassing = error instanceof Fault && error.retryable;
        if (!isPassing || performance.now() + backoffMs > triedUntil) throw error;
        mayBeMine = true;
        await delay(backoffMs);
      }
    }
  }

  get #ranMs(): number {
    return performance.now() - this.#beganAt;
  }
}
