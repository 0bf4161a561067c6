import type { ApprovalStore, Clock, StandingUses } from "@bulkhead/core";

export interface StandingCounterDeps {
  approvals: Pick<ApprovalStore, "countStandingUses">;
  clock: Clock;
  report: (what: string, error: unknown) => void;
}

/** Uses are gathered for so long before they are written. */
const GATHER_MS = 2_000;
/** Standing approvals whose uses wait to be written; a use of another one is not counted meanwhile. */
const STANDING_MAX = 10_000;
/** Those that one statement counts. */
const WRITTEN_AT_ONCE_MAX = 1_000;

/**
 * Counts which calls were let through by standing approvals, behind the calls: a call costs a look into a map. One statement
 * is under way at a time, so a database that is slow is asked less often.
 */
export class StandingCounter {
  readonly #deps: StandingCounterDeps;
  readonly #waiting = new Map<string, { count: number; at: Date }>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(deps: StandingCounterDeps) {
    this.#deps = deps;
  }

  saw(standingId: string): void {
    const before = this.#waiting.get(standingId);
    if (this.#isClosed || (before === undefined && this.#waiting.size >= STANDING_MAX)) return;
    this.#waiting.set(standingId, { count: (before?.count ?? 0) + 1, at: this.#deps.clock() });
    this.#timer ??= setTimeout(() => void this.#begin(), GATHER_MS).unref();
  }

  /** Writes what waits, once; later uses are not counted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#writeAll();
  }

  async #begin(): Promise<void> {
    this.#writing = this.#writeAll();
    await this.#writing;
    this.#timer = undefined;
    if (this.#waiting.size > 0 && !this.#isClosed)
      this.#timer = setTimeout(() => void this.#begin(), GATHER_MS).unref();
  }

  /** Of a statement that failed nobody knows whether it was done, so it is not said again: no use is counted twice. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const uses: StandingUses = new Map([...this.#waiting].slice(0, WRITTEN_AT_ONCE_MAX));
      for (const standingId of uses.keys()) this.#waiting.delete(standingId);
      try {
        await this.#deps.approvals.countStandingUses(uses);
      } catch (error) {
        this.#deps.report("counting the uses of standing approvals failed; some are not counted", error);
        return;
      }
    }
  }
}
