import { ComputingTenants } from "./computing-tenants.ts";
import { mayHoldMore } from "./fair-share.ts";
import { GrowthPace } from "./growth-pace.ts";
import { LossBudget } from "./loss-budget.ts";
import type { PoolSettings } from "./options.ts";
import type { WaitingRun } from "./wait-in-line.ts";

/** From this share of the processors idle on, it is not they that a line waits for. */
const ROOMY = 0.15;

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
  readonly #patienceMs: number;
  readonly #headroom: () => number;
  readonly #computing = new ComputingTenants();
  readonly #losses: LossBudget;
  readonly #growth = new GrowthPace();

  constructor({ processesMax, computingMax, patienceMs, headroom, lossPace }: PoolSettings) {
    this.#processesMax = processesMax;
    this.#computingMax = computingMax;
    this.#patienceMs = patienceMs;
    this.#headroom = headroom;
    this.#losses = new LossBudget(lossPace);
  }

  /** What a run has used, both in milliseconds. */
  ran(tenantId: string, usage: { cpuMs: number; wallMs: number }): void {
    this.#computing.ran(tenantId, usage);
  }

  /** The tenant was given one; it `grew` where it had another. */
  bound(tenantId: string, grew: boolean): void {
    const now = performance.now();
    this.#losses.spend(tenantId, now);
    if (grew) this.#growth.grew(now);
  }

  /** The first run in a process of the tenant's has left it whole. */
  proved(tenantId: string): void {
    this.#losses.giveBack(tenantId, performance.now());
  }

  /** A process of the tenant's that had been whole was ended by what ran in it, or after it. */
  lost(tenantId: string): void {
    this.#losses.spend(tenantId, performance.now());
  }

  /**
   * A tenant's first process at once, unless its runs ended too many of late; another one only where waiting for those it has
   * takes longer than it should, where enough stay free for others, and at a pace while others are content. What a tool's own calls
   * wait for is held back by those losses alone. `held` are the tenant's, `standsMs` is how long its line stands, what `poolUse`
   * answers is everyone's.
   */
  mayBind(waiter: WaitingRun, held: number, standsMs: number, poolUse: () => PoolUse): MayBind {
    const now = performance.now();
    if (!this.#losses.allows(waiter.tenantId, now)) return "later";
    if (held === 0 || waiter.depth > 1) return "yes";
    if (!this.#gains(waiter, held, standsMs)) return "no";
    const use = poolUse();
    if (!this.#hasShareLeft(held, use)) return "no";
    if (!use.othersContent || !isGrowth(waiter, held)) return "yes";
    return !use.growing && this.#growth.allows(now, use.startMs) ? "yes" : "later";
  }

  /** Whether another process would serve the tenant sooner. Where processors idle beside a line that stands, always. */
  #gains({ tenantId, impatient, desperate }: WaitingRun, held: number, standsMs: number): boolean {
    const stands = impatient || standsMs >= this.#patienceMs;
    if (desperate || (stands && this.#headroom() > ROOMY)) return true;
    return impatient && (held < this.#computingMax || !this.#computing.isComputing(tenantId));
  }

  #hasShareLeft(held: number, { inUse, keptBlank }: PoolUse): boolean {
    return mayHoldMore(held, inUse, this.#processesMax) && inUse + keptBlank < this.#processesMax;
  }
}
