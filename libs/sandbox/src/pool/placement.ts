import type { SandboxRun } from "@bulkhead/core";
import { BindingRules, isGrowth } from "./binding-rules.ts";
import { inUseBeside, othersContent } from "./in-use.ts";
import type { Fleet } from "./fleet.ts";
import { mustYield } from "./must-yield.ts";
import type { PoolSettings } from "./options.ts";
import type { RecycleReason } from "./process-losses.ts";
import type { SandboxProcess } from "./sandbox-process.ts";
import { ABORTED, waitInLine, type Place, type WaitingRun } from "./wait-in-line.ts";
import { WaitingLine } from "./waiting-line.ts";

/** How often who has used up a pace is looked at again. */
const SERVE_LATER_MS = 100;

const CLOSING = { outcome: "aborted", message: "The sandbox is closing." } as const;
const NO_START = { outcome: "unavailable", message: "No sandbox process could be started." } as const;

const reserveOf = (depth: number): number => depth - 1;

/** Which run gets which process, and when. */
export class Placement {
  readonly #settings: PoolSettings;
  readonly #fleet: Fleet;
  readonly #rules: BindingRules;
  readonly #line = new WaitingLine<WaitingRun>();
  #serveLater: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(settings: PoolSettings, fleet: Fleet) {
    this.#settings = settings;
    this.#fleet = fleet;
    this.#rules = new BindingRules(settings);
  }

  /** How many runs wait. */
  get waiting(): number {
    return this.#line.size;
  }

  /** A process for this run alone, at once where one is free; else in line. */
  place(run: SandboxRun, signal: AbortSignal): Place | Promise<Place> {
    if (this.#closed) return CLOSING;
    if (signal.aborted) return ABORTED;
    // Who comes later doesn't overtake those of the same tenant who wait.
    const mustWait = run.alone || !this.#hasTurn(run.depth) || this.#line.has(run.tenantId);
    const free = mustWait ? undefined : this.#fleet.processes.idleFor(run.tenantId, run.isolateKey);
    free?.reserve();
    return free ?? this.#wait(run, signal);
  }

  /** What a run has used, both in milliseconds. */
  ran(tenantId: string, usage: { cpuMs: number; wallMs: number }): void {
    this.#rules.ran(tenantId, usage);
  }

  /** One of the tenant's processes ended by itself while nothing ran in it. */
  lost(tenantId: string): void {
    this.#rules.lost(tenantId);
  }

  /** For every process that was a place, when its run has ended. */
  release(process: SandboxProcess): void {
    const deps = { fleet: this.#fleet, line: this.#line, turnMs: this.#settings.turnMs };
    const worn = process.state === "ready" ? this.#fleet.wornBy(process) : null;
    this.#account(process, worn);
    if (process.state === "ready") {
      const reason = worn ?? (mustYield(deps, process) ? "turn" : null);
      if (reason !== null) process.kill(reason);
    }
    this.serve();
  }

  /** Gives free processes to those who wait, and has more started where that is not enough. */
  serve(): void {
    if (this.#closed) return;
    const reserves: number[] = [];
    /** By tenant: how many of those that will be started are meant for it already. */
    const coming = new Map<string, number>();
    let newcomers = 0;
    let growing = false;
    for (const waiter of this.#inOrder()) {
      if (!this.#hasTurn(waiter.depth) && !this.#fleet.isFailing) continue;
      const { tenantId } = waiter;
      const held = this.#fleet.processes.countOf(tenantId) + (coming.get(tenantId) ?? 0);
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
        // Who has several gives one back within its turn: nobody's last one has to go for that.
        if (held === 0 && (waiter.impatient || !this.#fleet.processes.someoneHasSeveral())) newcomers++;
      }
    }
    this.#fleet.provide(reserves, newcomers);
  }

  /** Tells whoever waits; nobody is placed any more. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#serveLater);
    for (const waiter of this.#line.inTurn()) waiter.take(CLOSING);
  }

  /**
   * Whether a run at this depth may begin now. Runs that wait for the tools they call keep their processes meanwhile, so
   * each level of calls has one process in reserve that no level above it may take: the deepest who wait can always begin
   * once those beside them have ended, and calls can't wait for each other for ever.
   */
  #hasTurn(depth: number): boolean {
    return this.#fleet.processes.count("running") < this.#settings.processesMax + reserveOf(depth);
  }

  /** In turn, but those who can't run without a blank process before those who only would be served sooner. */
  #inOrder(): WaitingRun[] {
    const needs = ({ alone, depth, tenantId }: WaitingRun): boolean =>
      alone || depth > 1 || this.#fleet.processes.countOf(tenantId) === 0;
    const inTurn = this.#line.inTurn();
    return [...inTurn.filter(needs), ...inTurn.filter((waiter) => !needs(waiter))];
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

  #wait(run: SandboxRun, signal: AbortSignal): Promise<Place> {
    const { computingPatienceMs } = this.#settings;
    // Another process is paid for by a start: where that takes long, the processors are what is missing. Who is desperate is
    // impatient too: only for the impatient does a tenant's last process go, or a turn end.
    const patienceMs = Math.max(
      this.#settings.patienceMs,
      Math.min(this.#fleet.startMs, computingPatienceMs),
    );
    const serve = (): void => this.serve();
    return waitInLine({ line: this.#line, patienceMs, computingPatienceMs, serve }, run, signal);
  }

  /** Whom only a pace holds back is looked at again. `coming` are the processes that others will be given. */
  #mayBind(waiter: WaitingRun, held: number, { coming, growing }: { coming: number; growing: boolean }) {
    const { processes, keptBlank, startMs } = this.#fleet;
    const may = this.#rules.mayBind(waiter, held, this.#line.standsMs(waiter.tenantId), () => ({
      inUse: inUseBeside(waiter.tenantId, processes, this.#settings.asleepMs) + coming,
      keptBlank,
      othersContent: othersContent(waiter.tenantId, processes, this.#settings.asleepMs, (tenantId) =>
        this.#line.has(tenantId),
      ),
      growing,
      startMs,
    }));
    if (may === "later")
      this.#serveLater ??= setTimeout(() => {
        this.#serveLater = undefined;
        this.serve();
      }, SERVE_LATER_MS);
    return may === "yes";
  }

  #freeFor(
    { alone, tenantId, isolateKey }: WaitingRun,
    mayBind: boolean,
    grows: boolean,
  ): SandboxProcess | undefined {
    const idle = alone ? undefined : this.#fleet.processes.idleFor(tenantId, isolateKey);
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
