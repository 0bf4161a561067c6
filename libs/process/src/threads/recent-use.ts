/** After this time, use counts less by a factor of e; milliseconds. */
const FORGET_MS = 30_000;
/** Used lately that is as good as nothing: such tenants are forgotten. Milliseconds. */
const NOTHING_MS = 1;
/** So many tenants are remembered before those that used as good as nothing are looked for. */
const KEPT_MIN = 1_000;

interface Use {
  ms: number;
  at: number;
}

/** The recent use of something by each tenant, in milliseconds: older use counts exponentially less. */
export class RecentUse {
  readonly #uses = new Map<string, Use>();
  readonly #now: () => number;
  #keptMax = KEPT_MIN;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Tenants that are remembered. */
  get size(): number {
    return this.#uses.size;
  }

  of(tenantId: string): number {
    const use = this.#uses.get(tenantId);
    return use === undefined ? 0 : this.#leftOf(use);
  }

  add(tenantId: string, ms: number): void {
    this.#uses.set(tenantId, { ms: this.of(tenantId) + ms, at: this.#now() });
    if (this.#uses.size <= this.#keptMax) return;
    for (const [id, use] of this.#uses) if (this.#leftOf(use) < NOTHING_MS) this.#uses.delete(id);
    this.#keptMax = Math.max(KEPT_MIN, this.#uses.size * 2);
  }

  #leftOf({ ms, at }: Use): number {
    return ms * Math.exp((at - this.#now()) / FORGET_MS);
  }
}
