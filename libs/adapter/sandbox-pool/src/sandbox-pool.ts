import type { Sandbox, SandboxHooks, SandboxOutcome, SandboxRun, SandboxVerdict } from "@bulkhead/domain";
import { ComputingTenants } from "./computing-tenants.ts";
import { Fleet } from "./fleet.ts";
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
}

/** Opens a pool and starts its blank processes; nothing of it is left when `close` has resolved. */
export const openSandboxPool = (options: SandboxPoolOptions = {}): SandboxPool =>
  new ProcessPool(poolSettings(options));

/** A process broken by an earlier run costs a second try, not the execution. */
const ATTEMPTS_MAX = 2;
const RETIRE_EVERY_MS = 1_000;

type Place = SandboxProcess | Exclude<SandboxOutcome, { outcome: "returned" | "threw" }>;

interface Waiting extends Waiter {
  take(place: Place): void;
}

const ABORTED = { outcome: "aborted", message: "The run was stopped before it began." } as const;
const CLOSING = { outcome: "aborted", message: "The sandbox is closing." } as const;
const NO_START = { outcome: "unavailable", message: "No sandbox process could be started." } as const;

class ProcessPool implements SandboxPool {
  readonly #settings: PoolSettings;
  readonly #fleet: Fleet;
  readonly #line = new WaitingLine<Waiting>();
  readonly #computing = new ComputingTenants();
  readonly #retiring: NodeJS.Timeout;
  #closing: Promise<void> | null = null;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#fleet = new Fleet(settings, () => this.#serve());
    this.#retiring = setInterval(() => this.#fleet.retireOld(), RETIRE_EVERY_MS);
    this.#retiring.unref();
    this.#fleet.provide(0);
  }

  async run(run: SandboxRun, hooks: SandboxHooks, signal: AbortSignal): Promise<SandboxVerdict> {
    const askedAt = performance.now();
    for (let attempt = 1; ; attempt++) {
      const place = await this.#place(run, signal);
      const bindMs = Math.round((performance.now() - askedAt) * 100) / 100;
      if ("outcome" in place) return { ...place, usage: { cpuMs: 0, wallMs: 0, memoryPeakMib: 0, bindMs } };
      if (attempt === 1) hooks.onStarted();
      const verdict = await place.run(run, hooks, signal);
      this.#computing.ran(run.tenantId, verdict.usage);
      this.#release(place);
      if (place.wasAftershock && attempt < ATTEMPTS_MAX) continue;
      return { ...verdict, usage: { ...verdict.usage, bindMs } };
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

  async #close(): Promise<void> {
    clearInterval(this.#retiring);
    for (const waiter of this.#line.inTurn()) waiter.take(CLOSING);
    await this.#fleet.close();
  }

  /** A process for this run alone, at once where one is free; else in line. */
  #place({ tenantId, isolateKey }: SandboxRun, signal: AbortSignal): Place | Promise<Place> {
    if (this.#closing !== null) return CLOSING;
    if (signal.aborted) return ABORTED;
    // Who comes later doesn't overtake those of the same tenant who wait.
    const free = this.#line.has(tenantId) ? undefined : this.#fleet.idleFor(tenantId, isolateKey);
    free?.reserve();
    return free ?? this.#wait(tenantId, isolateKey, signal);
  }

  #wait(tenantId: string, isolateKey: string, signal: AbortSignal): Promise<Place> {
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
        impatient: false,
        desperate: false,
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
    let wanted = 0;
    for (const waiter of this.#line.inTurn()) {
      const mayBind = this.#mayBind(waiter);
      const process =
        this.#fleet.idleFor(waiter.tenantId, waiter.isolateKey) ??
        (mayBind ? this.#fleet.bindBlank(waiter.tenantId) : undefined);
      if (process !== undefined) this.#hand(process, waiter);
      else if (this.#fleet.isFailing) waiter.take(NO_START);
      else if (mayBind) wanted++;
    }
    this.#fleet.provide(wanted);
  }

  /** A tenant's first process at once; another one only where waiting for those it has takes longer than it should. */
  #mayBind({ tenantId, impatient, desperate }: Waiting): boolean {
    const count = this.#fleet.countOf(tenantId);
    if (count === 0 || desperate) return true;
    return impatient && (count < this.#settings.computingMax || !this.#computing.isComputing(tenantId));
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
