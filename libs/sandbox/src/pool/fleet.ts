import { availableParallelism } from "node:os";
import { BlankStock } from "./blank-stock.ts";
import type { SettledLaunch } from "../layers/settle-launch.ts";
import { evictIdle } from "./evict-idle.ts";
import type { PoolSettings } from "./options.ts";
import { LossCounts, type RecycleReason } from "./process-losses.ts";
import { SandboxProcess } from "./sandbox-process.ts";
import type { SpawnedSandbox } from "./spawn-sandbox.ts";
import { StartBackoff } from "./start-backoff.ts";

/** More starts at one time than processors only make each of them later; a start is nearly all computing. */
const STARTING_MAX = Math.min(8, Math.max(2, availableParallelism()));

/** The weight of the latest start in the moving average. */
const START_WEIGHT = 0.25;

/** A listener to what becomes of a fleet. */
export interface FleetListener {
  /** A process became ready or ended, or a start may be tried again. */
  changed(): void;
  /** A process of this tenant's ended by itself while nothing ran in it. */
  lost(tenantId: string): void;
}

/** The processes of one tenant; `idleSince` is when it last was given back one, as performance.now() tells it. */
export interface Holding {
  held: number;
  running: number;
  idleSince: number;
}

/** The processes that there are, until nothing of one is left: whose each is, which may start, which has to go. */
export class Fleet {
  readonly #processes = new Set<SandboxProcess>();
  readonly losses = new LossCounts();
  readonly #settings: PoolSettings;
  readonly #listener: FleetListener;
  readonly #backoff: StartBackoff;
  readonly #stock: BlankStock;
  #closed = false;
  /** Null until it is settled how processes are started. */
  #spawn: (() => SpawnedSandbox) | null = null;
  /** Whether node starts from its own snapshot; false until it is settled. */
  nodeSnapshot = false;
  #refuses = false;
  #startMs = 0;
  started = 0;

  constructor(settings: PoolSettings, listener: FleetListener) {
    this.#settings = settings;
    this.#listener = listener;
    this.#backoff = new StartBackoff(() => listener.changed());
    this.#stock = new BlankStock(settings.processesMax, settings.blankTarget);
  }

  get size(): number {
    return this.#processes.size;
  }

  count(state: SandboxProcess["state"]): number {
    let count = 0;
    for (const process of this.#processes) if (process.state === state) count++;
    return count;
  }

  /** Those whose slot is free soon: being ended, or dead while what they had of the system is given back. */
  get going(): number {
    return this.count("leaving") + this.count("ended");
  }

  /** A tenant's own, but for those that are being ended. */
  countOf(tenantId: string): number {
    let count = 0;
    for (const { tenantId: owner, state } of this.#processes) {
      if (owner === tenantId && state !== "leaving" && state !== "ended") count++;
    }
    return count;
  }

  /** By tenant: how many it has, and how many of them run; those that are being ended count no more. */
  holdings(): Map<string, Holding> {
    const holdings = new Map<string, Holding>();
    for (const { tenantId, state, idleSince } of this.#processes) {
      if (tenantId === null || state === "leaving" || state === "ended") continue;
      const holding = holdings.get(tenantId) ?? { held: 0, running: 0, idleSince: 0 };
      holdings.set(tenantId, holding);
      holding.held++;
      if (state === "running") holding.running++;
      holding.idleSince = Math.max(holding.idleSince, idleSince);
    }
    return holdings;
  }

  /** Whether a tenant runs that has more than one, of which it can give one back. */
  someoneHasSeveral(): boolean {
    for (const { tenantId, state } of this.#processes)
      if (state === "running" && tenantId !== null && this.countOf(tenantId) > 1) return true;
    return false;
  }

  all(): SandboxProcess[] {
    return [...this.#processes];
  }

  /** Ready ones without a tenant. */
  blanks(): SandboxProcess[] {
    return this.all().filter(({ state, tenantId }) => state === "ready" && tenantId === null);
  }

  /** A ready process of this tenant, one that knows the tool before any other. */
  idleFor(tenantId: string, isolateKey: string): SandboxProcess | undefined {
    const idle = this.all().filter((process) => process.state === "ready" && process.tenantId === tenantId);
    return idle.find((process) => process.isWarmFor(isolateKey)) ?? idle[0];
  }

  /** Bound ones that are ready. */
  idleOldestFirst(): SandboxProcess[] {
    return this.all()
      .filter(({ state, tenantId }) => state === "ready" && tenantId !== null)
      .sort((a, b) => a.idleSince - b.idleSince);
  }

  get isFull(): boolean {
    return this.size >= this.#settings.processesMax;
  }

  /** The time that a start takes on this machine as busy as it is: a moving average; 0 before the first. */
  get startMs(): number {
    return this.#startMs;
  }

  /** How many blank processes are kept for tenants that have none, whoever else wants more. */
  get keptBlank(): number {
    return this.#stock.wanted;
  }

  /** Whether fewer than are kept stand ready or are about to. */
  get lacksBlanks(): boolean {
    const coming = this.count("starting") + this.going;
    return this.isFull && this.blanks().length + coming < this.keptBlank;
  }

  /** The program does not start. */
  get isFailing(): boolean {
    return this.#refuses || this.#backoff.isFailing;
  }

  /** From now on processes may be started, in this way. */
  open({ spawn, nodeSnapshot }: Pick<SettledLaunch, "spawn" | "nodeSnapshot">): void {
    this.#spawn = spawn;
    this.nodeSnapshot = nodeSnapshot;
  }

  /** No process will ever be started. */
  refuse(): void {
    this.#refuses = true;
  }

  /** A ready process without a tenant, bound from now on. */
  bindBlank(tenantId: string): SandboxProcess | undefined {
    const [blank] = this.blanks();
    if (blank === undefined) return undefined;
    if (this.countOf(tenantId) === 0) this.#stock.came(tenantId);
    blank.tenantId = tenantId;
    blank.boundAt = performance.now();
    return blank;
  }

  /**
   * Starts what is wanted and the stock of blank ones need, and ends idle ones where no slot is free. `reserves` has a
   * number for each that is wanted: by how many processes the cap may be exceeded for it. `newcomers` are those for whom a
   * tenant's last process may go. Where a tenant runs in several, the stock waits for it to give one back before anyone's
   * last one goes.
   */
  provide(reserves: readonly number[], newcomers: number): void {
    if (this.#closed || this.#spawn === null) return;
    const coming = this.count("starting");
    const wanted = reserves.length;
    const largestFirst = reserves.toSorted((a, b) => b - a);
    const missing = wanted + this.#settings.blankTarget - coming - this.blanks().length;
    for (let i = 0; i < missing && this.#mayStart(largestFirst[i] ?? 0); i++) this.#start(this.#spawn);
    const ahead = this.isFull ? this.keptBlank : 0;
    const aheadOfLast = ahead > 0 && this.someoneHasSeveral() ? 0 : ahead;
    const without = evictIdle(this, this.#settings, { wanted, newcomers, ahead, aheadOfLast });
    for (const tenantId of without) this.#stock.lost(tenantId);
  }

  /** Ends what has served long enough, and what nobody has used for long. */
  retireOld(): void {
    const now = performance.now();
    for (const process of this.all()) {
      if (process.state !== "ready" || process.tenantId === null) continue;
      const isIdle = now - process.idleSince > this.#settings.idleMsMax;
      const reason = this.wornBy(process) ?? (isIdle ? "idle" : null);
      if (reason !== null) process.kill(reason);
    }
  }

  /** Why a process is to be replaced; null where it may go on. */
  wornBy({ runs, rssMib, startedAt }: SandboxProcess): RecycleReason | null {
    const { runsMax, rssMibMax, ageMsMax } = this.#settings;
    if (runs >= runsMax) return "runs";
    if (rssMib > rssMibMax) return "grown";
    return performance.now() - startedAt > ageMsMax ? "age" : null;
  }

  /** Ends every process and waits until none is left. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#backoff.close();
    const all = this.all();
    for (const process of all) process.abandon();
    await Promise.all(all.map((process) => process.ended));
  }

  #mayStart(reserve: number): boolean {
    const hasRoom = this.size < this.#settings.processesMax + reserve;
    return hasRoom && this.count("starting") < STARTING_MAX && this.#backoff.mayStart;
  }

  #start(spawn: () => SpawnedSandbox): void {
    let greeted = false;
    const onReady = (): void => {
      greeted = true;
      this.#startMs += START_WEIGHT * (performance.now() - process.startedAt - this.#startMs);
      this.#backoff.succeeded();
      this.#listener.changed();
    };
    const process = new SandboxProcess(this.#settings, onReady, spawn);
    this.started++;
    this.#processes.add(process);
    void process.ended.then(() => {
      this.#processes.delete(process);
      this.losses.count(greeted || this.#closed ? process.lossReason : "start");
      if (process.tenantId !== null && process.diedIdle) this.#listener.lost(process.tenantId);
      if (!greeted && !this.#closed) this.#backoff.failed();
      this.#listener.changed();
    });
  }
}
