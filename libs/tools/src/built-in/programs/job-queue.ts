import { WAITING_MAX, WAITING_PER_TENANT_MAX } from "./bounds.ts";

interface Waiting {
  leave(): void;
}

/** Jobs that wait: tenants in turn, and of each at most one that is being done. */
export class JobQueue<W extends Waiting> {
  /** In the order in which tenants have their turn; none is empty. */
  readonly #tenants = new Map<string, W[]>();
  readonly #busy = new Set<string>();

  /** False where the tenant has enough waiting. A full queue drops a job of the tenant with most for a tenant with fewer. */
  join(tenantId: string, job: W): boolean {
    const own = this.#tenants.get(tenantId) ?? [];
    if (own.length >= WAITING_PER_TENANT_MAX || !this.#ensureSlot(own.length + 1)) return false;
    this.#tenants.set(tenantId, [...own, job]);
    return true;
  }

  /** Removes a job that nobody wants any more. */
  drop(tenantId: string, job: W): void {
    this.#keep(
      tenantId,
      (this.#tenants.get(tenantId) ?? []).filter((waiting) => waiting !== job),
    );
  }

  /** The job whose turn it is; its tenant has no other turn until `done`. */
  next(): W | null {
    for (const [tenantId, [first, ...others]] of this.#tenants) {
      if (first === undefined || this.#busy.has(tenantId)) continue;
      this.#busy.add(tenantId);
      this.#tenants.delete(tenantId);
      this.#keep(tenantId, others);
      return first;
    }
    return null;
  }

  /** The tenant's job is done. */
  done(tenantId: string): void {
    this.#busy.delete(tenantId);
  }

  /** Drops all waiting jobs. */
  clear(): void {
    const all = [...this.#tenants.values()].flat();
    this.#tenants.clear();
    for (const waiting of all) waiting.leave();
  }

  #ensureSlot(wanted: number): boolean {
    const queues = [...this.#tenants.values()];
    if (queues.reduce((sum, { length }) => sum + length, 0) < WAITING_MAX) return true;
    const longest = queues.reduce((a, b) => (b.length > a.length ? b : a));
    if (longest.length <= wanted) return false;
    longest.pop()?.leave();
    return true;
  }

  #keep(tenantId: string, jobs: W[]): void {
    if (jobs.length > 0) this.#tenants.set(tenantId, jobs);
    else this.#tenants.delete(tenantId);
  }
}
