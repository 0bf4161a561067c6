/** Waiting jobs by tenant, each tenant's in the order in which they came. */
export class WaitingJobs<T> {
  readonly #byTenant = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  of(tenantId: string): number {
    return this.#byTenant.get(tenantId)?.length ?? 0;
  }

  push(tenantId: string, job: T): void {
    const jobs = this.#byTenant.get(tenantId);
    if (jobs) jobs.push(job);
    else this.#byTenant.set(tenantId, [job]);
    this.#size += 1;
  }

  /** The first job of the tenant for which `weigh` is least; of none where it is infinite for all. */
  takeLeast(weigh: (tenantId: string) => number): T | undefined {
    let least: string | undefined;
    let leastWeight = Infinity;
    for (const tenantId of this.#byTenant.keys()) {
      const weight = weigh(tenantId);
      if (weight < leastWeight) [least, leastWeight] = [tenantId, weight];
    }
    return least === undefined ? undefined : this.#take(least, 0);
  }

  /** The last job of the tenant of which most wait; of none where no tenant has more than `min`. */
  takeFromMost(min: number): T | undefined {
    let most: string | undefined;
    let mostWaiting = min;
    for (const [tenantId, { length }] of this.#byTenant)
      if (length > mostWaiting) [most, mostWaiting] = [tenantId, length];
    return most === undefined ? undefined : this.#take(most, -1);
  }

  /** Of each tenant those of which that is true, up to the first of which it is not. */
  takeFirstsWhile(isTaken: (job: T) => boolean): T[] {
    const taken: T[] = [];
    for (const [tenantId, jobs] of this.#byTenant) {
      const kept = jobs.findIndex((job) => !isTaken(job));
      const gone = jobs.splice(0, kept === -1 ? jobs.length : kept);
      this.#size -= gone.length;
      if (jobs.length === 0) this.#byTenant.delete(tenantId);
      taken.push(...gone);
    }
    return taken;
  }

  takeAll(): T[] {
    const all = [...this.#byTenant.values()].flat();
    this.#byTenant.clear();
    this.#size = 0;
    return all;
  }

  #take(tenantId: string, at: 0 | -1): T | undefined {
    const jobs = this.#byTenant.get(tenantId) ?? [];
    const job = at === 0 ? jobs.shift() : jobs.pop();
    this.#size -= job === undefined ? 0 : 1;
    if (jobs.length === 0) this.#byTenant.delete(tenantId);
    return job;
  }
}
