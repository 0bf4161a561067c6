import { makeRoom } from "./make-room.ts";
import type { PoolSettings } from "./options.ts";
import { LossCounts, type RecycleReason } from "./process-losses.ts";
import { ProcessRoster } from "./process-roster.ts";
import { SandboxProcess } from "./sandbox-process.ts";
import type { SpawnedSandbox } from "./spawn-sandbox.ts";
import { StartBackoff } from "./start-backoff.ts";

/** More starts at one time only make each of them later. */
const STARTING_MAX = 4;

/** All sandbox processes of one pool: which may start, which has to go. */
export class Fleet {
  readonly processes = new ProcessRoster();
  readonly losses = new LossCounts();
  readonly #settings: PoolSettings;
  readonly #onChange: () => void;
  readonly #backoff: StartBackoff;
  #closed = false;
  /** Null until it is settled how processes are started. */
  #spawn: (() => SpawnedSandbox) | null = null;
  #refuses = false;
  started = 0;

  /** `onChange` is called when a process became ready or ended, and when a start may be tried again. */
  constructor(settings: PoolSettings, onChange: () => void) {
    this.#settings = settings;
    this.#onChange = onChange;
    this.#backoff = new StartBackoff(onChange);
  }

  get isFull(): boolean {
    return this.processes.size >= this.#settings.processesMax;
  }

  /** The program does not start. */
  get isFailing(): boolean {
    return this.#refuses || this.#backoff.isFailing;
  }

  /** From now on processes may be started, in this way. */
  open(spawn: () => SpawnedSandbox): void {
    this.#spawn = spawn;
  }

  /** No process will ever be started. */
  refuse(): void {
    this.#refuses = true;
  }

  /** A ready process without a tenant, bound from now on. */
  bindBlank(tenantId: string): SandboxProcess | undefined {
    const [blank] = this.processes.blanks();
    if (blank === undefined) return undefined;
    blank.tenantId = tenantId;
    blank.boundAt = performance.now();
    return blank;
  }

  /**
   * Starts what is wanted and the stock of blank ones need, and ends idle ones where there is no room. `reserves` has a
   * number for each that is wanted: by how many processes the cap may be exceeded for it. `newcomers` are those of tenants
   * that have none.
   */
  provide(reserves: readonly number[], newcomers: number): void {
    if (this.#closed || this.#spawn === null) return;
    const coming = this.processes.count("starting");
    const wanted = reserves.length;
    const largestFirst = reserves.toSorted((a, b) => b - a);
    const missing = wanted + this.#settings.blankTarget - coming - this.processes.blanks().length;
    for (let i = 0; i < missing && this.#mayStart(largestFirst[i] ?? 0); i++) this.#start(this.#spawn);
    makeRoom(this.processes, this.#settings.processesMax, wanted, newcomers);
  }

  /** Ends what has served long enough, and what nobody has used for long. */
  retireOld(): void {
    const now = performance.now();
    for (const process of this.processes.all()) {
      if (process.state !== "ready" || process.tenantId === null) continue;
      const isIdle = now - process.idleSince > this.#settings.idleMsMax;
      const reason = this.wornBy(process) ?? (isIdle ? "idle" : null);
      if (reason !== null) process.kill(reason);
    }
  }

  /** What a process has had too much of; null where it may go on. */
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
    const all = this.processes.all();
    for (const process of all) process.abandon();
    await Promise.all(all.map((process) => process.ended));
  }

  #mayStart(reserve: number): boolean {
    const hasRoom = this.processes.size < this.#settings.processesMax + reserve;
    return hasRoom && this.processes.count("starting") < STARTING_MAX && this.#backoff.mayStart;
  }

  #start(spawn: () => SpawnedSandbox): void {
    let greeted = false;
    const onReady = (): void => {
      greeted = true;
      this.#backoff.succeeded();
      this.#onChange();
    };
    const process = new SandboxProcess(this.#settings, onReady, spawn);
    this.started++;
    this.processes.add(process);
    void process.ended.then(() => {
      this.processes.remove(process);
      this.losses.count(greeted || this.#closed ? process.lossReason : "start");
      if (!greeted && !this.#closed) this.#backoff.failed();
      this.#onChange();
    });
  }
}
