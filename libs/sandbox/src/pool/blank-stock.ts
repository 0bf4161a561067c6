/** One blank process is kept for so many. */
const PROCESSES_PER_BLANK = 8;
/** The weight of the latest newcomer in the moving average. */
const WEIGHT = 0.25;
/** Above this share of newcomers who would not be any, the stock costs more than it gives. */
const REGRET_MAX = 0.5;

/**
 * How many blank processes are kept in a full pool, at the price of the processes that were idle longest. It pays where
 * tenants come who have none. Where those who come lost theirs to the stock just now, all who are active would have fitted
 * in without it: then there is none until others come.
 */
export class BlankStock {
  readonly #size: number;
  /** Tenants that lost their last process of late, the latest first; as many as the stock holds. */
  #losers: string[] = [];
  #regret = 0;

  /** A small pool keeps none: each process is too large a part of it. */
  constructor(processesMax: number, blankTarget: number) {
    this.#size = Math.min(blankTarget, Math.floor(processesMax / PROCESSES_PER_BLANK));
  }

  /** How many shall stand ready now. */
  get wanted(): number {
    return this.#regret > REGRET_MAX ? 0 : this.#size;
  }

  /** A tenant's last process was evicted. */
  lost(tenantId: string): void {
    this.#losers = [tenantId, ...this.#losers.filter((loser) => loser !== tenantId)].slice(0, this.#size);
  }

  /** A tenant without a process was given one. */
  came(tenantId: string): void {
    const isRegretted = this.#losers.includes(tenantId);
    this.#regret += WEIGHT * ((isRegretted ? 1 : 0) - this.#regret);
  }
}
