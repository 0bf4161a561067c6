import { BindBudget } from "./bind-budget.ts";
import { ComputingTenants } from "./computing-tenants.ts";
import { mayHoldMore } from "./fair-share.ts";
import { GrowthPace } from "./growth-pace.ts";
import type { PoolSettings } from "./options.ts";
import type { WaitingRun } from "./wait-in-line.ts";

/** What of a pool is not for a tenant that wants more. */
export interface PoolUse {
  inUse: number;
  /** Those that stay blank for tenants that have none. */
  keptBlank: number;
  /** Another tenant called of late that one process is enough for. */
  othersContent: boolean;
  /** A tenant that has a process is being given another at this moment. */
  growing: boolean;
  /** What a start takes at present; milliseconds. */
  startMs: number;
}

/** Whether another process is bound; `later` where only a pace is against it, so that the answer changes by itself. */
export type MayBind = "yes" | "no" | "later";

/** Whether it would be one more for a tenant that has some, to go on faster; `held` are that tenant's. */
export const isGrowth = ({ alone, depth }: WaitingRun, held: number): boolean =>
  held > 0 && depth === 1 && !alone;

/** When a tenant is given another process. */
export class BindingRules {
  readonly #processesMax: number;
  readonly #computingMax: number;
  readonly #computing = new ComputingTenants();
  readonly #budget: BindBudget;
  readonly #growth = new GrowthPace();

  constructor({ processesMax, computingMax, bindPace }: PoolSettings) {
    this.#processesMax = processesMax;
    this.#computingMax = computingMax;
    this.#budget = new BindBudget(bindPace);
  }

  /** What a run has used, both in milliseconds. */
  ran(tenantId: string, usage: { cpuMs: number; wallMs: number }): void {
    this.#computing.ran(tenantId, usage);
  }

  /** The tenant was given one; it `grew` where it had another. */
  bound(tenantId: string, grew: boolean): void {
    const now = performance.now();
    this.#budget.spend(tenantId, now);
    if (grew) this.#growth.grew(now);
  }

  /**
   * A tenant's first process at once, unless it was given too many of late; another one only where waiting for those it has
   * takes longer than it should, where enough stay free for others, and at a pace while others are content. What a tool's own calls
   * wait for is never held back. `held` are the tenant's, what `poolUse` answers is everyone's.
   */
  mayBind(waiter: WaitingRun, held: number, poolUse: () => PoolUse): MayBind {
    const now = performance.now();
    if (!this.#budget.allows(waiter.tenantId, now)) return "later";
    if (held === 0 || waiter.depth > 1) return "yes";
    const use = poolUse();
    if (!this.#mayGrow(waiter, held, use)) return "no";
    if (!use.othersContent || !isGrowth(waiter, held)) return "yes";
    return !use.growing && this.#growth.allows(now, use.startMs) ? "yes" : "later";
  }

  #mayGrow({ tenantId, impatient, desperate }: WaitingRun, held: number, { inUse, keptBlank }: PoolUse) {
    if (!impatient && !desperate) return false;
    if (!mayHoldMore(held, inUse, this.#processesMax) || inUse + keptBlank >= this.#processesMax)
      return false;
    if (desperate) return true;
    return held < this.#computingMax || !this.#computing.isComputing(tenantId);
  }
}
