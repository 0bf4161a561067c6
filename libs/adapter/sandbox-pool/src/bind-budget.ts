import { LRUCache } from "lru-cache";

const TENANTS_MAX = 10_000;

/** How many processes a tenant may be given at once, and how many each second after that. */
export interface BindPace {
  burst: number;
  perSecond: number;
}

/**
 * Paces how fast each tenant is given new processes: a start takes 75 ms of processor time, which a tool that kills its
 * process in 1 ms would otherwise spend for everyone. A token bucket for each tenant.
 */
export class BindBudget {
  readonly #pace: BindPace;
  readonly #tokens = new LRUCache<string, { left: number; at: number }>({ max: TENANTS_MAX });

  constructor(pace: BindPace) {
    this.#pace = pace;
  }

  /** `now` in milliseconds, on any clock that only goes forward. */
  allows(tenantId: string, now: number): boolean {
    return this.#left(tenantId, now) >= 1;
  }

  spend(tenantId: string, now: number): void {
    this.#tokens.set(tenantId, { left: this.#left(tenantId, now) - 1, at: now });
  }

  #left(tenantId: string, now: number): number {
    const { burst, perSecond } = this.#pace;
    const known = this.#tokens.get(tenantId);
    if (known === undefined) return burst;
    return Math.min(burst, known.left + ((now - known.at) / 1_000) * perSecond);
  }
}
