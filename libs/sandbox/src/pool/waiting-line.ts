/** Someone who waits for a process. */
export interface Waiter {
  readonly tenantId: string;
  readonly isolateKey: string;
  /** How deep in calls of tools by tools; 1 for what nobody waits for in here. */
  readonly depth: number;
  /** Has waited long enough for another process to be bound. */
  impatient: boolean;
  /** Has waited so long that another process is bound even where runs compute. */
  desperate: boolean;
}

/**
 * First come, first served within a tenant, but for what another run waits for: while it waits, that one keeps a process.
 * Tenants take turns.
 */
export class WaitingLine<W extends Waiter> {
  /** In the order of turns: who was served goes to the end. */
  readonly #byTenant = new Map<string, W[]>();
  readonly #standsSince = new Map<string, number>();

  get size(): number {
    let size = 0;
    for (const waiters of this.#byTenant.values()) size += waiters.length;
    return size;
  }

  add(waiter: W): void {
    const waiters = this.#byTenant.get(waiter.tenantId);
    if (waiters === undefined) {
      this.#byTenant.set(waiter.tenantId, [waiter]);
      this.#standsSince.set(waiter.tenantId, performance.now());
    } else if (waiter.depth === 1) waiters.push(waiter);
    else waiters.splice(waiters.findLastIndex(({ depth }) => depth > 1) + 1, 0, waiter);
  }

  has(tenantId: string): boolean {
    return this.#byTenant.has(tenantId);
  }

  /**
   * How long somebody of the tenant's has waited without a gap, whoever it was; milliseconds, 0 where nobody waits. A line
   * that stands tells that there is too little for the tenant, however short each one's own wait is (Nichols and Jacobson, 2012).
   */
  standsMs(tenantId: string): number {
    const since = this.#standsSince.get(tenantId);
    return since === undefined ? 0 : performance.now() - since;
  }

  /** Takes one out of the line; its tenant's turn is over where it was served. */
  remove(waiter: W, served: boolean): void {
    const waiters = this.#byTenant.get(waiter.tenantId)?.filter((other) => other !== waiter) ?? [];
    if (waiters.length === 0) {
      this.#byTenant.delete(waiter.tenantId);
      this.#standsSince.delete(waiter.tenantId);
    } else {
      if (served) this.#byTenant.delete(waiter.tenantId);
      this.#byTenant.set(waiter.tenantId, waiters);
    }
  }

  /** All who wait: everyone's first in the order of turns, then everyone's second, and so on. */
  inTurn(): W[] {
    const lines = [...this.#byTenant.values()];
    const longest = Math.max(0, ...lines.map((line) => line.length));
    const order: W[] = [];
    for (let turn = 0; turn < longest; turn++) {
      for (const line of lines) {
        const waiter = line[turn];
        if (waiter !== undefined) order.push(waiter);
      }
    }
    return order;
  }
}
