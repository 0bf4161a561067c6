import type {
  Sandbox,
  SandboxHooks,
  SandboxLayerReport,
  SandboxOutcome,
  SandboxRun,
  SandboxVerdict,
} from "@bulkhead/domain";
import { BindBudget } from "./bind-budget.ts";
import { ComputingTenants } from "./computing-tenants.ts";
import { mayHoldMore } from "./fair-share.ts";
import { Fleet } from "./fleet.ts";
import { requireLayers } from "./layers/require-layers.ts";
import { settleLaunch } from "./layers/settle-launch.ts";
import { poolSettings, type PoolSettings, type SandboxPoolOptions } from "./options.ts";
import type { SandboxProcess } from "./sandbox-process.ts";
import { WaitingLine, type Waiter } from "./waiting-line.ts";

/** What a pool holds at this moment; counts, but for the ids. */
export interface SandboxPoolStats {
  starting: number;
  blank: number;
  idle: number;
  running: number;
  waiting: number;
  /** Processes started since the pool was opened. */
  started: number;
  processes: { pid: number; tenantId: string | null; runs: number; rssMib: number }[];
}

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
export const openSandboxPool = (options: SandboxPoolOptions = {}): SandboxPool =>
  new ProcessPool(poolSettings(options));

const RETIRE_EVERY_MS = 1_000;
/** How often who has used up a pace is looked at again. */
const SERVE_LATER_MS = 100;

type Place = SandboxProcess | Exclude<SandboxOutcome, { outcome: "returned" | "threw" }>;

interface Waiting extends Waiter {
  readonly alone: boolean;
  take(place: Place): void;
}

const ABORTED = { outcome: "aborted", message: "The run was stopped before it began." } as const;
const CLOSING = { outcome: "aborted", message: "The sandbox is closing." } as const;
/** Of a run that had no process. */
const NOTHING_RAN = { endedBy: "worker", process: "own" } as const;
const NO_START = { outcome: "unavailable", message: "No sandbox process could be started." } as const;

const reserveOf = (depth: number): number => depth - 1;

class ProcessPool implements SandboxPool {
  readonly #settings: PoolSettings;
  readonly #fleet: Fleet;
  readonly #line = new WaitingLine<Waiting>();
  readonly #computing = new ComputingTenants();
  readonly #binds: BindBudget;
  readonly #retiring: NodeJS.Timeout;
  #serveLater: NodeJS.Timeout | undefined;
  #closing: Promise<void> | null = null;
  readonly #giveUp = new AbortController();
  readonly #layers: Promise<SandboxLayerReport[]>;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#binds = new BindBudget(settings.bindPace);
    this.#fleet = new Fleet(settings, () => this.#serve());
    this.#retiring = setInterval(() => this.#fleet.retireOld(), RETIRE_EVERY_MS);
    this.#retiring.unref();
    this.#layers = this.#open();
    // Who does not ask for them learns of it by what runs answer.
    this.#layers.catch(() => this.#fleet.refuse()).finally(() => this.#serve());
  }

  layers(): Promise<SandboxLayerReport[]> {
    return this.#layers;
  }

  async run(run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal): Promise<SandboxVerdict> {
    const askedAt = performance.now();
    let { alone } = run;
    for (let attempt = 1; ; attempt++) {
      const place = await this.#place({ ...run, alone }, signal);
      const bindMs = Math.round((performance.now() - askedAt) * 100) / 100;
      if ("outcome" in place)
        return { ...place, ...NOTHING_RAN, usage: { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, bindMs } };
      if (attempt === 1) hooks.onStarted();
      const process = alone ? "own" : place.runs > 1 ? "used" : "fresh";
      const verdict = await place.run(run, hooks, signal);
      this.#computing.ran(run.tenantId, verdict.usage);
      if (alone) place.kill();
      this.#release(place);
      if (process !== "used" || !place.diedUnheard)
        return { ...verdict, process, usage: { ...verdict.usage, bindMs } };
      // Nobody has heard of this try, and a run before it may have broken the process: it counts for nothing.
      alone = true;
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  stats(): SandboxPoolStats {
    const blank = this.#fleet.blanks().length;
    return {
      starting: this.#fleet.count("starting"),
      blank,
      idle: this.#fleet.count("ready") - blank,
      running: this.#fleet.count("running"),
      waiting: this.#line.size,
      started: this.#fleet.started,
      processes: this.#fleet
        .all()
        .map(({ pid, tenantId, runs, rssMib }) => ({ pid, tenantId, runs, rssMib })),
    };
  }

  async #open(): Promise<SandboxLayerReport[]> {
    const { spawn, reports } = await settleLaunch(this.#settings, this.#giveUp.signal);
    requireLayers(reports, this.#settings.requiredLayers);
    this.#fleet.open(spawn);
    return reports;
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
  #place(run: SandboxRun, signal: AbortSignal): Place | Promise<Place> {
    if (this.#closing !== null) return CLOSING;
    if (signal.aborted) return ABORTED;
    // Who comes later doesn't overtake those of the same tenant who wait.
    const mustWait = run.alone || !this.#hasTurn(run.depth) || this.#line.has(run.tenantId);
    const free = mustWait ? undefined : this.#fleet.idleFor(run.tenantId, run.isolateKey);
    free?.reserve();
    return free ?? this.#wait(run, signal);
  }

  #wait(run: SandboxRun, signal: AbortSignal): Promise<Place> {
    const { tenantId, isolateKey, depth, alone } = run;
    // Its tenant's processes may all be held by runs that wait for it.
    const atOnce = alone || depth > 1;
    return new Promise((resolve) => {
      const onAbort = (): void => waiter.take(ABORTED);
      const { patienceMs, computingPatienceMs } = this.#settings;
      const losePatience = setTimeout(() => {
        waiter.impatient = true;
        this.#serve();
      }, patienceMs);
      const despair = setTimeout(() => {
        waiter.desperate = true;
        this.#serve();
      }, computingPatienceMs);
      const waiter: Waiting = {
        tenantId,
        isolateKey,
        depth,
        alone,
        impatient: atOnce,
        desperate: atOnce,
        take: (place) => {
          clearTimeout(losePatience);
          clearTimeout(despair);
          signal.removeEventListener("abort", onAbort);
          this.#line.remove(waiter, !("outcome" in place));
          resolve(place);
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#line.add(waiter);
      this.#serve();
    });
  }

  /** Gives free processes to those who wait, and has more started where that is not enough. */
  #serve(): void {
    if (this.#closing !== null) return;
    const reserves: number[] = [];
    /** By tenant: how many of those that will be started are meant for it already. */
    const coming = new Map<string, number>();
    let newcomers = 0;
    for (const waiter of this.#line.inTurn()) {
      if (!this.#hasTurn(waiter.depth) && !this.#fleet.isFailing) continue;
      const { tenantId } = waiter;
      const held = this.#fleet.countOf(tenantId) + (coming.get(tenantId) ?? 0);
      const mayBind = this.#mayBind(waiter, held, reserves.length);
      const process =
        (waiter.alone ? undefined : this.#fleet.idleFor(waiter.tenantId, waiter.isolateKey)) ??
        (mayBind ? this.#bindBlank(waiter.tenantId) : undefined);
      if (process !== undefined) this.#hand(process, waiter);
      else if (this.#fleet.isFailing) waiter.take(NO_START);
      else if (mayBind) {
        reserves.push(reserveOf(waiter.depth));
        coming.set(tenantId, (coming.get(tenantId) ?? 0) + 1);
        if (held === 0) newcomers++;
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

  /**
   * A tenant's first process at once; another one only where waiting for those it has takes longer than it should, and
   * where enough stay free for others. What a tool's own calls wait for is never held back.
   */
  #mayBind({ tenantId, depth, impatient, desperate }: Waiting, held: number, coming: number): boolean {
    if (!this.#binds.allows(tenantId, performance.now())) {
      this.#serveLater ??= setTimeout(() => {
        this.#serveLater = undefined;
        this.#serve();
      }, SERVE_LATER_MS);
      return false;
    }
    if (held === 0 || depth > 1) return true;
    const inUse = this.#fleet.count("running") + coming;
    if (!mayHoldMore(held, inUse, this.#settings.processesMax)) return false;
    if (desperate) return true;
    return impatient && (held < this.#settings.computingMax || !this.#computing.isComputing(tenantId));
  }

  #bindBlank(tenantId: string): SandboxProcess | undefined {
    const blank = this.#fleet.bindBlank(tenantId);
    if (blank !== undefined) this.#binds.spend(tenantId, performance.now());
    return blank;
  }

  /** Reserved at once: the waiter's own code goes on only in a later microtask. */
  #hand(process: SandboxProcess, waiter: Waiting): void {
    process.reserve();
    waiter.take(process);
  }

  #release(process: SandboxProcess): void {
    if (process.state === "ready" && (this.#fleet.isWorn(process) || this.#mustYield(process)))
      process.kill();
    this.#serve();
  }

  /** Under load a tenant gives a process back after its turn, where another tenant waits that has fewer. */
  #mustYield({ tenantId, boundAt }: SandboxProcess): boolean {
    if (tenantId === null || !this.#fleet.isFull || performance.now() - boundAt < this.#settings.turnMs)
      return false;
    if (this.#fleet.blanks().length + this.#fleet.count("starting") + this.#fleet.count("leaving") > 0)
      return false;
    const own = this.#fleet.countOf(tenantId);
    return this.#line.inTurn().some((waiter) => {
      const theirs = this.#fleet.countOf(waiter.tenantId);
      return waiter.tenantId !== tenantId && waiter.impatient && (theirs === 0 || theirs + 1 < own);
    });
  }
}
