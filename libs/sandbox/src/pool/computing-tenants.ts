import { LRUCache } from "lru-cache";

/** Tenants whose latest runs are remembered. */
const TENANTS_MAX = 10_000;
/** The weight of the latest run in the moving average. */
const WEIGHT = 0.1;
/**
 * From this share of processor time in the wall clock on, runs compute. Low, since runs that compete for the processors
 * get a tenth of one each; those that wait for others use a few hundredths.
 */
const COMPUTING_SHARE = 0.05;

/** Which tenants' runs mostly compute and which mostly wait: an exponential moving average of CPU time over wall time. */
export class ComputingTenants {
  readonly #shares = new LRUCache<string, number>({ max: TENANTS_MAX });

  /** Both in milliseconds. */
  ran(tenantId: string, { cpuMs, wallMs }: { cpuMs: number; wallMs: number }): void {
    const share = Math.min(1, cpuMs / Math.max(wallMs, 0.1));
    const before = this.#shares.get(tenantId) ?? share;
    this.#shares.set(tenantId, before + WEIGHT * (share - before));
  }

  isComputing(tenantId: string): boolean {
    return (this.#shares.get(tenantId) ?? 0) >= COMPUTING_SHARE;
  }
}
