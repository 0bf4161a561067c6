/** How many may be at work at a time, of one tenant and of all. */
export interface TurnBounds {
  tenant: number;
  all: number;
}

/** Gives turns in the order in which they were asked for, but for tenants that have as many as they may. */
export class TenantTurns {
  readonly #bounds: TurnBounds;
  readonly #busy = new Map<string, number>();
  readonly #waiting: { tenantId: string; begin: () => void }[] = [];
  #all = 0;

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
  }

  /** Does the work in a turn of its own. Rejects as the work does, or with the signal's reason if that fires before it began. */
  async run<T>(tenantId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#begin(tenantId, signal);
    try {
      return await work();
    } finally {
      this.#end(tenantId);
    }
  }

  async #begin(tenantId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#hasRoom(tenantId)) return this.#take(tenantId);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { tenantId, begin: resolve };
    this.#waiting.push(waiting);
    const giveUp = (): void => {
      const place = this.#waiting.indexOf(waiting);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", giveUp);
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", giveUp);
    }
  }

  #hasRoom(tenantId: string): boolean {
    return this.#all < this.#bounds.all && (this.#busy.get(tenantId) ?? 0) < this.#bounds.tenant;
  }

  #take(tenantId: string): void {
    this.#all += 1;
    this.#busy.set(tenantId, (this.#busy.get(tenantId) ?? 0) + 1);
  }

  #end(tenantId: string): void {
    this.#all -= 1;
    const left = (this.#busy.get(tenantId) ?? 1) - 1;
    if (left === 0) this.#busy.delete(tenantId);
    else this.#busy.set(tenantId, left);
    const next = this.#waiting.findIndex((one) => this.#hasRoom(one.tenantId));
    const [begun] = next < 0 ? [] : this.#waiting.splice(next, 1);
    if (!begun) return;
    this.#take(begun.tenantId);
    begun.begin();
  }
}
