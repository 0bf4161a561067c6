import { BindBudget } from "./bind-budget.ts";
import { ComputingTenants } from "./computing-tenants.ts";
import { mayHoldMore } from "./fair-share.ts";
import type { PoolSettings } from "./options.ts";
import type { Waiter } from "./waiting-line.ts";

/** What of a pool is not for a tenant that wants more. */
export interface PoolUse {
  inUse: number;
  /** Those that stay blank for tenants that have none. */
  keptBlank: number;
}

/** When a tenant is given another process. */
export class BindingRules {
  readonly #processesMax: number;
  readonly #computingMax: number;
  readonly #computing = new ComputingTenants();
  readonly #budget: BindBudget;

  constructor({ processesMax, computingMax, bindPace }: PoolSettings) {
    this.#processesMax = processesMax;
    this.#computingMax = computingMax;
    this.#budget = new BindBudget(bindPace);
  }

  /** What a run has used, both in milliseconds. */
  ran(tenantId: string, usage: { cpuMs: number; wallMs: number }): void {
    this.#computing.ran(tenantId, usage);
  }

  /** The tenant was given one. */
  bound(tenantId: string): void {
    this.#budget.spend(tenantId, performance.now());
  }

  /** False for a tenant that was given too many of late, whatever else holds; true again without anyone's doing. */
  paceAllows(tenantId: string): boolean {
    return this.#budget.allows(tenantId, performance.now());
  }

  /**
   * A tenant's first process at once; another one only where waiting for those it has takes longer than it should, and
   * where enough stay free for others. What a tool's own calls wait for is never held back. `held` are the tenant's,
   * what `poolUse` answers is everyone's.
   */
  mayBind(waiter: Waiter, held: number, poolUse: () => PoolUse): boolean {
    const { tenantId, depth, impatient, desperate } = waiter;
    if (held === 0 || depth > 1) return true;
    if (!impatient && !desperate) return false;
    const { inUse, keptBlank } = poolUse();
    if (!mayHoldMore(held, inUse, this.#processesMax) || inUse + keptBlank >= this.#processesMax)
      return false;
    if (desperate) return true;
    return held < this.#computingMax || !this.#computing.isComputing(tenantId);
  }
}
