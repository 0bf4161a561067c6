import { LRUCache } from "lru-cache";

const TENANTS_MAX = 10_000;

/** How many processes a tenant's runs may have ended or be the first in at once, and how many more each second. */
export interface LossPace {
  burst: number;
  perSecond: number;
}

/**
 * Paces how fast each tenant is given processes in place of those that its runs ended: a start takes 75 ms of processor time,
 * which a tool that kills its process in 1 ms would otherwise spend for everyone. A token bucket for each tenant: a process
 * costs a token when it is bound, which comes back when its first run has left it whole; later it costs one when a run ends it.
 */
export class LossBudget {
  readonly #pace: LossPace;
  readonly #tokens = new LRUCache<string, { left: number; at: number }>({ max: TENANTS_MAX });

  constructor(pace: LossPace) {
    this.#pace = pace;
  }

  /** Whether the tenant may be given another. `now` in milliseconds, on any clock that only goes forward. */
  allows(tenantId: string, now: number): boolean {
    return this.#left(tenantId, now) >= 1;
  }

  /** It was given one, or lost one that had come back. A debt is a burst at most. */
  spend(tenantId: string, now: number): void {
    this.#tokens.set(tenantId, { left: Math.max(-this.#pace.burst, this.#left(tenantId, now) - 1), at: now });
  }

  /** What it was given is whole after a run. */
  giveBack(tenantId: string, now: number): void {
    this.#tokens.set(tenantId, { left: Math.min(this.#pace.burst, this.#left(tenantId, now) + 1), at: now });
  }

  #left(tenantId: string, now: number): number {
    const { burst, perSecond } = this.#pace;
    const known = this.#tokens.get(tenantId);
    if (known === undefined) return burst;
    return Math.min(burst, known.left + ((now - known.at) / 1_000) * perSecond);
  }
}
