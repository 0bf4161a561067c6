import type { Sandbox, SandboxHooks, SandboxLayerReport, SandboxRun, SandboxVerdict } from "@bulkhead/core";
import { requireLayers } from "../layers/require-layers.ts";
import { settleLaunch } from "../layers/settle-launch.ts";
import { BindingRules, isGrowth, mustYield } from "./binding-rules.ts";
import { Fleet, type FleetListener } from "./fleet.ts";
import { inUseBeside, othersContent } from "./in-use.ts";
import { poolSettings, type PoolSettings, type SandboxPoolOptions } from "./options.ts";
import { poolStats, type SandboxPoolStats } from "./pool-stats.ts";
import type { RecycleReason } from "./process-losses.ts";
import type { SandboxProcess } from "./sandbox-process.ts";
import { ABORTED, waitInLine, type Bound, type WaitingRun } from "./wait-in-line.ts";
import { WaitingLine } from "./waiting-line.ts";

/** A sandbox made of processes, each of which serves one tenant. */
export interface SandboxPool extends Sandbox {
  stats(): SandboxPoolStats;
  /**
   * What stands around every process of this pool, looked up once on a real one before the first run is served. Rejects
   * with a MissingLayersError where a required layer is not in force: then every run is `unavailable`.
   */
  layers(): Promise<SandboxLayerReport[]>;
}

/** Opens a pool and starts its blank processes; nothing of it is left when `close` has resolved. */
export function openSandboxPool(options: SandboxPoolOptions = {}): SandboxPool {
  const settings = poolSettings(options);
  const pool = new ProcessPool(settings, (listener) => new Fleet(settings, listener));
  pool.open();
  return pool;
}

const RETIRE_EVERY_MS = 1_000;
/** How often who has used up a pace is looked at again. */
const SERVE_LATER_MS = 100;
/** The verdict's fields for a run that had no process. */
const NOTHING_RAN = { endedBy: "worker", process: "own" } as const;
const CLOSING = { outcome: "aborted", message: "The sandbox is closing." } as const;
const NO_START = { outcome: "unavailable", message: "No sandbox process could be started." } as const;

const reserveOf = (depth: number): number => depth - 1;

/** The runs that wait for a process, and which of them gets which, and when. */
export class ProcessPool implements SandboxPool {
  readonly #settings: PoolSettings;
  readonly #fleet: Fleet;
  readonly #rules: BindingRules;
  readonly #line = new WaitingLine<WaitingRun>();
  readonly #retiring: NodeJS.Timeout;
  #serveLater: NodeJS.Timeout | undefined;
  readonly #giveUp = new AbortController();
  #layers: Promise<SandboxLayerReport[]> = Promise.resolve([]);
  #closing: Promise<void> | null = null;

  constructor(settings: PoolSettings, makeFleet: (listener: FleetListener) => Fleet) {
    this.#settings = settings;
    this.#rules = new BindingRules(settings);
    this.#fleet = makeFleet({
      changed: () => this.#serve(),
      lost: (tenantId) => this.#rules.lost(tenantId),
    });
    this.#retiring = setInterval(() => this.#fleet.retireOld(), RETIRE_EVERY_MS);
    this.#retiring.unref();
  }

  /** Settles how processes are started, and starts the first. */
  open(): void {
    this.#layers = this.#settle();
    // A caller that does not ask for the layers learns of the failure by what runs answer.
    this.#layers.catch(() => this.#fleet.refuse()).finally(() => this.#serve());
  }

  layers(): Promise<SandboxLayerReport[]> {
    return this.#layers;
  }

  async run(run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal): Promise<SandboxVerdict> {
    const askedAt = performance.now();
    const bound = await this.#bind(run, signal);
    const bindMs = Math.round((performance.now() - askedAt) * 100) / 100;
    if ("outcome" in bound)
      return { ...bound, ...NOTHING_RAN, usage: { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, bindMs } };
    hooks.onStarted();
    const process = run.alone ? "own" : bound.runs > 1 ? "used" : "fresh";
    const verdict = await bound.run(run, hooks, signal);
    this.#rules.ran(run.tenantId, verdict.usage);
    if (run.alone) bound.kill("alone");
    this.#release(bound);
    const unheard = process === "used" && bound.diedUnheard ? { unheard: true as const } : {};
    return { ...verdict, ...unheard, process, usage: { ...verdict.usage, bindMs } };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  stats(): SandboxPoolStats {
    return poolStats(this.#fleet, this.#line.size);
  }

  async #settle(): Promise<SandboxLayerReport[]> {
    const settled = await settleLaunch(this.#settings, this.#giveUp.signal);
    requireLayers(settled.reports, this.#settings.requiredLayers);
    this.#fleet.open(settled);
    return settled.reports;
  }

  async #close(): Promise<void> {
    clearInterval(this.#retiring);
    clearTimeout(this.#serveLater);
    this.#giveUp.abort();
    for (const waiter of this.#line.inTurn()) waiter.take(CLOSING);
    await Promise.allSettled([this.#layers]);
    await this.#fleet.close();
  }

  /** A process for this run alone, at once where one is free; else in line. */
  #bind(run: SandboxRun, signal: AbortSignal): Bound | Promise<Bound> {
    if (this.#closing) return CLOSING;
    if (signal.aborted) return ABORTED;
    // A later run doesn't overtake those of its tenant that wait.
    const mustWait = run.alone || !this.#hasTurn(run.depth) || this.#line.has(run.tenantId);
    const free = mustWait ? undefined : this.#fleet.idleFor(run.tenantId, run.isolateKey);
    free?.reserve();
    return free ?? this.#wait(run, signal);
  }

  #wait(run: SandboxRun, signal: AbortSignal): Promise<Bound> {
    const { computingPatienceMs } = this.#settings;
    // Another process is paid for by a start: where that takes long, the processors are what is missing. Who is desperate is
    // impatient too: only for the impatient does a tenant's last process go, or a turn end.
    const patienceMs = Math.max(
      this.#settings.patienceMs,
      Math.min(this.#fleet.startMs, computingPatienceMs),
    );
    const serve = (): void => this.#serve();
    return waitInLine({ line: this.#line, patienceMs, computingPatienceMs, serve }, run, signal);
  }

  /** For every process that was bound to a run, when that has ended. */
  #release(process: SandboxProcess): void {
    const worn = process.state === "ready" ? this.#fleet.wornBy(process) : null;
    this.#account(process, worn);
    if (process.state === "ready") {
      const deps = { fleet: this.#fleet, line: this.#line, turnMs: this.#settings.turnMs };
      const reason = worn ?? (mustYield(deps, process) ? "turn" : null);
      if (reason !== null) process.kill(reason);
    }
    this.#serve();
  }

  /** Whether a run has left its process whole decides how soon its tenant is given another. */
  #account(process: SandboxProcess, worn: RecycleReason | null): void {
    const { tenantId, state, proved } = process;
    if (tenantId === null) return;
    const isWhole = (state === "ready" || state === "running") && worn !== "grown";
    if (isWhole && !proved) this.#rules.proved(tenantId);
    if (!isWhole && proved) this.#rules.lost(tenantId);
    process.proved ||= isWhole;
  }

  /** Gives free processes to those who wait, and has more started where that is not enough. */
  #serve(): void {
    if (this.#closing) return;
    const reserves: number[] = [];
    /** By tenant: how many of those that will be started are meant for it already. */
    const coming = new Map<string, number>();
    let newcomers = 0;
    let growing = false;
    for (const waiter of this.#inOrder()) {
      if (!this.#hasTurn(waiter.depth) && !this.#fleet.isFailing) continue;
      const { tenantId } = waiter;
      const held = this.#fleet.countOf(tenantId) + (coming.get(tenantId) ?? 0);
      const mayBind = this.#mayBind(waiter, held, { coming: reserves.length, growing });
      const grows = mayBind && isGrowth(waiter, held);
      const process = this.#freeFor(waiter, mayBind, grows);
      // An idle one of its own is no growth.
      growing ||= grows && (process === undefined || process.runs === 0);
      if (process !== undefined) hand(process, waiter);
      else if (this.#fleet.isFailing) waiter.take(NO_START);
      else if (mayBind) {
        reserves.push(reserveOf(waiter.depth));
        coming.set(tenantId, (coming.get(tenantId) ?? 0) + 1);
        // A tenant with several processes gives one back within its turn: nobody's last one has to go for that.
        if (held === 0 && (waiter.impatient || !this.#fleet.someoneHasSeveral())) newcomers++;
      }
    }
    this.#fleet.provide(reserves, newcomers);
  }

  /**
   * Whether a run at this depth may begin now. Runs that wait for the tools they call keep their processes meanwhile, so
   * each level of calls has one process in reserve that no level above it may take: the deepest who wait can always begin
   * once those beside them have ended, and calls can't wait for each other for ever.
   */
  #hasTurn(depth: number): boolean {
    return this.#fleet.count("running") < this.#settings.processesMax + reserveOf(depth);
  }

  /** In turn, but those who can't run without a blank process before those who only would be served sooner. */
  #inOrder(): WaitingRun[] {
    const needs = ({ alone, depth, tenantId }: WaitingRun): boolean =>
      alone || depth > 1 || this.#fleet.countOf(tenantId) === 0;
    const inTurn = this.#line.inTurn();
    return [...inTurn.filter(needs), ...inTurn.filter((waiter) => !needs(waiter))];
  }

  /**
   * Whether the waiter may be bound to another process; one that only a pace holds back is looked at again. `coming`
   * are the processes that others will be given.
   */
  #mayBind(waiter: WaitingRun, held: number, { coming, growing }: { coming: number; growing: boolean }) {
    const { asleepMs } = this.#settings;
    const fleet = this.#fleet;
    const may = this.#rules.mayBind(waiter, held, this.#line.standsMs(waiter.tenantId), () => ({
      inUse: inUseBeside(waiter.tenantId, fleet, asleepMs) + coming,
      keptBlank: fleet.keptBlank,
      othersContent: othersContent(waiter.tenantId, fleet, asleepMs, (tenantId) => this.#line.has(tenantId)),
      growing,
      startMs: fleet.startMs,
    }));
    if (may === "later")
      this.#serveLater ??= setTimeout(() => {
        this.#serveLater = undefined;
        this.#serve();
      }, SERVE_LATER_MS);
    return may === "yes";
  }

  #freeFor(
    { alone, tenantId, isolateKey }: WaitingRun,
    mayBind: boolean,
    grows: boolean,
  ): SandboxProcess | undefined {
    const idle = alone ? undefined : this.#fleet.idleFor(tenantId, isolateKey);
    if (idle !== undefined || !mayBind) return idle;
    const blank = this.#fleet.bindBlank(tenantId);
    if (blank !== undefined) this.#rules.bound(tenantId, grows);
    return blank;
  }
}

/** Reserved at once: the waiter's own code goes on only in a later microtask. */
function hand(process: SandboxProcess, waiter: WaitingRun): void {
  process.reserve();
  waiter.take(process);
}
