import { RecentUse } from "./recent-use.ts";

/** For so long at a stretch the event loop is kept; milliseconds. One step that takes longer is over it. */
const STRETCH_MS = 4;

/** A small piece of work. True where more is to come. */
export type Step = () => boolean;

/**
 * Work on this thread's event loop, cut into small steps. The next step is the tenant's that has used least of late, and after
 * a stretch everything else that waits for the loop comes first: so neither the loop nor another tenant waits for one tenant's
 * megabytes.
 */
export class LoopTurns {
  /** By tenant; each has at least one. */
  readonly #jobs = new Map<string, Step[]>();
  readonly #use: RecentUse;
  readonly #now: () => number;
  #isArmed = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#use = new RecentUse(now);
  }

  /** Calls `step`, from the next turn of the loop on, until it says that nothing is left. */
  take(tenantId: string, step: Step): void {
    const own = this.#jobs.get(tenantId);
    if (own) own.push(step);
    else this.#jobs.set(tenantId, [step]);
    this.#arm();
  }

  #arm(): void {
    if (this.#isArmed || this.#jobs.size === 0) return;
    this.#isArmed = true;
    setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    this.#isArmed = false;
    const startedAt = this.#now();
    try {
      while (this.#jobs.size > 0 && this.#now() - startedAt < STRETCH_MS) this.#stepOnce();
    } finally {
      this.#arm();
    }
  }

  #stepOnce(): void {
    const tenantId = this.#next();
    const own = this.#jobs.get(tenantId) ?? [];
    const step = own.shift();
    if (own.length === 0) this.#jobs.delete(tenantId);
    const startedAt = this.#now();
    const goesOn = step?.() ?? false;
    this.#use.add(tenantId, this.#now() - startedAt);
    if (!goesOn || step === undefined) return;
    // Of a tenant's own jobs each gets its turn, too.
    own.push(step);
    this.#jobs.set(tenantId, own);
  }

  #next(): string {
    let [next = ""] = this.#jobs.keys();
    for (const tenantId of this.#jobs.keys())
      if (this.#use.of(tenantId) < this.#use.of(next)) next = tenantId;
    return next;
  }
}

/** Of this thread, which has one loop. */
export const loopTurns = new LoopTurns();
