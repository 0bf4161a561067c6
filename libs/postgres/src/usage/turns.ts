import { Fault } from "@bulkhead/core";

export interface TurnBounds {
  /** Of all tenants together; of each one runs. */
  atOnceMax: number;
  waitingPerTenantMax: number;
  tenantsWaitingMax: number;
}

/** When one that was refused may come again: most are answered by then. */
const RETRY_SECONDS = 5;

/** Lets so many run at once, of each tenant one. Tenants take turns, each with its own in the order in which they came. */
export class TenantTurns {
  readonly #bounds: TurnBounds;
  readonly #running = new Set<string>();
  /** In the order of turns: who has run goes to the end. None is empty; while a place is free, each of them runs. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
  }

  /**
   * Answers as `run` does; null where the signal fired before its turn came, then it isn't run. Throws `usage.busy` where
   * enough of the tenant's wait, and `service.unavailable` where enough other tenants do.
   */
  async take<T>(tenantId: string, signal: AbortSignal, run: () => Promise<T>): Promise<T | null> {
    if (signal.aborted) return null;
    if (this.#running.size < this.#bounds.atOnceMax && !this.#running.has(tenantId))
      this.#running.add(tenantId);
    else if (!(await this.#itsTurn(tenantId, signal))) return null;
    try {
      return await run();
    } finally {
      this.#passOn(tenantId);
    }
  }

  /** True with the place of one who is done; false when the signal fired first. */
  #itsTurn(tenantId: string, signal: AbortSignal): Promise<boolean> {
    const own = this.#lineOf(tenantId);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const settle = (hasPlace: boolean): void => {
      signal.removeEventListener("abort", leave);
      own.delete(begin);
      if (own.size === 0) this.#waiting.delete(tenantId);
      if (hasPlace) this.#running.add(tenantId);
      resolve(hasPlace);
    };
    const begin = (): void => settle(true);
    const leave = (): void => settle(false);
    own.add(begin);
    this.#waiting.set(tenantId, own);
    signal.addEventListener("abort", leave, { once: true });
    return promise;
  }

  #lineOf(tenantId: string): Set<() => void> {
    const { waitingPerTenantMax, tenantsWaitingMax } = this.#bounds;
    const own = this.#waiting.get(tenantId);
    if (own && own.size >= waitingPerTenantMax)
      throw new Fault("usage.busy", {
        detail: `Of a tenant one such question is answered at a time and ${waitingPerTenantMax} wait; ask again when one is answered.`,
        retryAfterSeconds: RETRY_SECONDS,
      });
    if (!own && this.#waiting.size >= tenantsWaitingMax)
      throw new Fault("service.unavailable", {
        internal: `${tenantsWaitingMax} tenants wait for their usage.`,
        retryAfterSeconds: RETRY_SECONDS,
      });
    return own ?? new Set();
  }

  /** Handed over without being free in between, so that nobody who comes just now gets ahead. */
  #passOn(tenantId: string): void {
    this.#running.delete(tenantId);
    const own = this.#waiting.get(tenantId);
    if (own) {
      this.#waiting.delete(tenantId);
      this.#waiting.set(tenantId, own);
    }
    for (const [next, [begin]] of this.#waiting) if (!this.#running.has(next)) return begin?.();
  }
}
