import { TENANT_LIMITS_DEFAULT, type AttemptKey, type LimitsAsOf, type TenantLimits } from "@bulkhead/core";
import { Arrivals, type Rate } from "./rate.ts";
import { WaitingLine, type Waiting } from "./waiting.ts";

/** What a tenant is taken to use for one run before anything is known; milliseconds. */
export const MEAN_FIRST_MS = 50;
const MEAN_MS_MIN = 1;
const MEAN_MS_MAX = 3_600_000;
/** The share of each new value in the mean. */
const MEAN_SHARE = 1 / 8;
/** For how many runs a weighted mean speaks that takes in each newer one by the share above. */
const RUNS_MAX = 15;

export interface Slot {
  attempt: AttemptKey;
  /** A lease: at that moment the slot is free by itself. */
  until: number;
  /** What its tag was moved by; null where a heartbeat gave back a slot that was lost. */
  charge: number | null;
  tool: Waiting["tool"];
}

/** One tool of a tenant that has a cap or a rate of its own. */
export class ToolLine {
  readonly parked = new WaitingLine();
  readonly running = new Set<string>();
  arrivals = new Arrivals();

  /** Whether one more may start besides `ahead`; else from when on, never where a release must come first. */
  opensAt(tool: NonNullable<Waiting["tool"]>, ahead: number, now: number): number {
    if (tool.maxConcurrent !== undefined && this.running.size + ahead >= tool.maxConcurrent)
      return Number.POSITIVE_INFINITY;
    const rate = toolRate(tool);
    return rate ? this.arrivals.ahead(rate, ahead, now).readyAt(rate) : now;
  }
}

export const toolRate = ({ perSecond }: NonNullable<Waiting["tool"]>): Rate | null =>
  perSecond === undefined ? null : { perSecond, burst: Math.max(1, perSecond) };

/** What the dispatcher knows of one tenant. */
export class TenantState {
  readonly id: string;
  limits: TenantLimits = TENANT_LIMITS_DEFAULT;
  asOf = 0;
  /** Whether limits were ever given: until then none are owed anything. */
  limited = false;
  /** The start tag: worker-milliseconds used, divided by the weight, since the last idleness. */
  tag = 0;
  inRing = false;
  meanMs = MEAN_FIRST_MS;
  /** What its runs took lately, apart from the mean that is charged, which starts at a guess. */
  runs = { count: 0, meanMs: 0, variance: 0 };
  readonly arrivals = new Arrivals();
  readonly backlog = new WaitingLine();
  readonly delayed = new Map<string, Waiting & { due: number }>();
  /** Execution ids with the moment at which their reservation lapses. */
  readonly reserved = new Map<string, number>();
  readonly slots = new Map<string, Slot>();
  readonly tools = new Map<string, ToolLine>();

  constructor(id: string) {
    this.id = id;
  }

  get rate(): Rate {
    return { perSecond: this.limits.executionsPerSecond, burst: this.limits.executionBurst };
  }

  get parkedCount(): number {
    let count = 0;
    for (const { parked } of this.tools.values()) count += parked.size;
    return count;
  }

  get waitingCount(): number {
    return this.backlog.size + this.delayed.size + this.parkedCount;
  }

  toolLine(id: string): ToolLine {
    const line = this.tools.get(id) ?? new ToolLine();
    this.tools.set(id, line);
    return line;
  }

  waits(name: string): boolean {
    if (this.backlog.has(name) || this.delayed.has(name)) return true;
    return [...this.tools.values()].some(({ parked }) => parked.has(name));
  }

  /** Older limits never overwrite newer ones. */
  take({ limits, asOf }: LimitsAsOf, now: number): void {
    if (this.limited && this.asOf > asOf.getTime()) return;
    const before = this.rate;
    this.limits = limits;
    this.asOf = asOf.getTime();
    if (this.limited) this.arrivals.change(before, this.rate, now);
    this.limited = true;
  }

  /** Corrects the tag by what was really used, and the mean. */
  settle(charge: number, usedMs: number): void {
    this.tag += (usedMs - charge) / this.limits.weight;
    const mean = this.meanMs + (usedMs - this.meanMs) * MEAN_SHARE;
    this.meanMs = Math.min(MEAN_MS_MAX, Math.max(MEAN_MS_MIN, mean));
    const count = Math.min(this.runs.count + 1, RUNS_MAX);
    const share = Math.max(1 / count, MEAN_SHARE);
    const off = usedMs - this.runs.meanMs;
    const variance = (1 - share) * (this.runs.variance + share * off ** 2);
    this.runs = { count, meanMs: this.runs.meanMs + share * off, variance };
  }
}
