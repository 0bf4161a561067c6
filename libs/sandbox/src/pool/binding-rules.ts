import { availableParallelism } from "node:os";
import { LRUCache } from "lru-cache";
import type { Fleet } from "./fleet.ts";
import type { LossPace, PoolSettings } from "./options.ts";
import type { SandboxProcess } from "./sandbox-process.ts";
import type { WaitingRun } from "./wait-in-line.ts";
import type { Waiter, WaitingLine } from "./waiting-line.ts";

/** Tenants of whose runs something is remembered. */
const TENANTS_MAX = 10_000;

/** From this share of the processors idle on, it is not they that a line waits for. */
const ROOMY = 0.15;

/** The use of a pool as far as it bounds a tenant that wants more. */
export interface PoolUse {
  inUse: number;
  /** Those that stay blank for tenants that have none. */
  keptBlank: number;
  /** Another tenant called of late that one process is enough for. */
  othersContent: boolean;
  /** A tenant that has a process is being given another at this moment. */
  growing: boolean;
  /** The time that a start takes at present; milliseconds. */
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

  /** Takes what a run has used, both in milliseconds. */
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

/** By what it is judged; a turn is what a tenant keeps a process for at the least. */
export interface MustYieldDeps {
  fleet: Pick<Fleet, "isFull" | "lacksBlanks" | "countOf" | "blanks" | "count" | "going">;
  line: Pick<WaitingLine<Waiter>, "inTurn">;
  turnMs: number;
}

/**
 * Whether a tenant gives a process back after its turn: under load, where another tenant waits that has fewer, or where it
 * has several and no blank one stands ready for who comes next.
 */
export function mustYield(deps: MustYieldDeps, { tenantId, boundAt }: SandboxProcess): boolean {
  const { fleet } = deps;
  if (tenantId === null || !fleet.isFull || performance.now() - boundAt < deps.turnMs) return false;
  const own = fleet.countOf(tenantId);
  if (fleet.lacksBlanks && own > 1) return true;
  if (fleet.blanks().length + fleet.count("starting") + fleet.going > 0) return false;
  return deps.line.inTurn().some((waiter) => {
    const theirs = fleet.countOf(waiter.tenantId);
    if (waiter.tenantId === tenantId) return false;
    return waiter.impatient ? theirs === 0 || theirs + 1 < own : theirs === 0 && own > 1;
  });
}

/** How many processes a tenant may hold for each one that is still free. */
const SHARE_FACTOR = 3;

/**
 * Whether a tenant that holds `own` processes may take another, where `running` of `processesMax` are in use: a dynamic
 * threshold (Choudhury and Hahne, 1998). One tenant alone gets three quarters of a large pool; the more are in use, the less
 * each may add, so that who comes next finds one free. A first process is everyone's.
 */
export const mayHoldMore = (own: number, running: number, processesMax: number): boolean =>
  own === 0 || own + 1 <= SHARE_FACTOR * (processesMax - running);

/** The weight of the latest run in the moving average. */
const RUN_WEIGHT = 0.1;
/**
 * From this share of processor time in the wall clock on, runs compute. Low, since runs that compete for the processors
 * get a tenth of one each; those that wait for others use a few hundredths.
 */
const COMPUTING_SHARE = 0.05;

/** Tells tenants whose runs mostly compute from others, by an exponential moving average of CPU time over wall time. */
export class ComputingTenants {
  readonly #shares = new LRUCache<string, number>({ max: TENANTS_MAX });

  /** Both in milliseconds. */
  ran(tenantId: string, { cpuMs, wallMs }: { cpuMs: number; wallMs: number }): void {
    const share = Math.min(1, cpuMs / Math.max(wallMs, 0.1));
    const before = this.#shares.get(tenantId) ?? share;
    this.#shares.set(tenantId, before + RUN_WEIGHT * (share - before));
  }

  isComputing(tenantId: string): boolean {
    return (this.#shares.get(tenantId) ?? 0) >= COMPUTING_SHARE;
  }
}

/**
 * Paces how fast each tenant is given processes in place of those that its runs ended: a start takes 75 ms of processor time,
 * which a tool that kills its process in 1 ms would otherwise spend for everyone. A token bucket for each tenant: a process
 * costs a token when it is bound, which comes back when its first run has left it whole; later it costs one when a run ends it.
 */
export class LossBudget {
  readonly #pace: LossPace;
  readonly #tokens = new LRUCache<string, { left: number; at: number }>({ max: TENANTS_MAX });

  constructor(pace: LossPace) {
    this.#pace = pace;
  }

  /** Whether the tenant may be given another. `now` in milliseconds, on any clock that only goes forward. */
  allows(tenantId: string, now: number): boolean {
    return this.#left(tenantId, now) >= 1;
  }

  /** It was given one, or lost one that had come back. A debt is a burst at most. */
  spend(tenantId: string, now: number): void {
    this.#tokens.set(tenantId, { left: Math.max(-this.#pace.burst, this.#left(tenantId, now) - 1), at: now });
  }

  /** A process that it was given is whole after a run. */
  giveBack(tenantId: string, now: number): void {
    this.#tokens.set(tenantId, { left: Math.min(this.#pace.burst, this.#left(tenantId, now) + 1), at: now });
  }

  #left(tenantId: string, now: number): number {
    const { burst, perSecond } = this.#pace;
    const known = this.#tokens.get(tenantId);
    if (known === undefined) return burst;
    return Math.min(burst, known.left + ((now - known.at) / 1_000) * perSecond);
  }
}

/** The share of all processors that may go into starts for tenants that have a process, while others are content. */
const GROWTH_SHARE = 1 / 8;
/** The time of a start where none has been seen, and the longest time between two however slow they are. Milliseconds. */
const START_MS = 75;
const GROWTH_MS_MAX = 1_000;

/**
 * Paces how fast tenants that have a process are given more while others have all that they want. A start is computing alone: a tenant that
 * comes with 10,000 runs at once would have both processors of a small machine start its processes, and everyone would wait
 * for that. One for each pool.
 */
export class GrowthPace {
  readonly #processors: number;
  #grownAt = Number.NEGATIVE_INFINITY;

  constructor(processors: number = availableParallelism()) {
    this.#processors = processors;
  }

  /** `startMs` is what a start takes at present, 0 where that is not known. `now` is of any clock that only goes forward. */
  allows(now: number, startMs: number): boolean {
    const everyMs = (startMs || START_MS) / (GROWTH_SHARE * this.#processors);
    return now - this.#grownAt >= Math.min(everyMs, GROWTH_MS_MAX);
  }

  /** A tenant that had a process was given another. */
  grew(now: number): void {
    this.#grownAt = now;
  }
}
