import type { PoolSettings } from "./options.ts";
import { SandboxProcess, type ProcessState } from "./sandbox-process.ts";
import type { SpawnedSandbox } from "./spawn-sandbox.ts";

/** After this many failed starts in a row whoever waits is told. */
const FAILED_STARTS_MAX = 3;
const RESTART_MS = 100;
const RESTART_MS_MAX = 5_000;
/** More starts at one time only make each of them later. */
const STARTING_MAX = 4;

/** All sandbox processes of one pool: which there are, which may start, which has to go. */
export class Fleet {
  readonly #settings: PoolSettings;
  readonly #onChange: () => void;
  readonly #processes = new Set<SandboxProcess>();
  #failedStarts = 0;
  #startNotBefore = 0;
  #startTimer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Null until it is settled how processes are started. */
  #spawn: (() => SpawnedSandbox) | null = null;
  #refuses = false;
  started = 0;

  /** `onChange` is called when a process became ready or ended, and when a start may be tried again. */
  constructor(settings: PoolSettings, onChange: () => void) {
    this.#settings = settings;
    this.#onChange = onChange;
  }

  get size(): number {
    return this.#processes.size;
  }

  get isFull(): boolean {
    return this.size >= this.#settings.processesMax;
  }

  /** The program does not start. */
  get isFailing(): boolean {
    return this.#refuses || this.#failedStarts >= FAILED_STARTS_MAX;
  }

  /** From now on processes may be started, in this way. */
  open(spawn: () => SpawnedSandbox): void {
    this.#spawn = spawn;
  }

  /** No process will ever be started. */
  refuse(): void {
    this.#refuses = true;
  }

  count(state: ProcessState): number {
    let count = 0;
    for (const process of this.#processes) if (process.state === state) count++;
    return count;
  }

  countOf(tenantId: string): number {
    let count = 0;
    for (const { tenantId: owner, state } of this.#processes) {
      if (owner === tenantId && state !== "leaving") count++;
    }
    return count;
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

  /** A ready process without a tenant, bound from now on. */
  bindBlank(tenantId: string): SandboxProcess | undefined {
    const [blank] = this.blanks();
    if (blank === undefined) return undefined;
    blank.tenantId = tenantId;
    blank.boundAt = performance.now();
    return blank;
  }

  /**
   * Starts what is wanted and the stock of blank ones need, and ends idle ones where there is no room. `reserves` has a
   * number for each that is wanted: by how many processes the cap may be exceeded for it. A tenant's last idle process goes
   * only for one of the `newcomers`, tenants that have none.
   */
  provide(reserves: readonly number[], newcomers: number): void {
    if (this.#closed || this.#spawn === null) return;
    const coming = this.count("starting");
    const wanted = reserves.length;
    const largestFirst = reserves.toSorted((a, b) => b - a);
    const missing = wanted + this.#settings.blankTarget - coming - this.blanks().length;
    for (let i = 0; i < missing && this.#mayStart(largestFirst[i] ?? 0); i++) this.#start(this.#spawn);
    const room = this.#settings.processesMax - this.size;
    const leaving = this.count("leaving");
    const short = wanted - this.count("starting") - leaving - Math.max(0, room);
    // What a reserve was used for is given back as soon as something is idle.
    let tooMany = Math.max(short, -room - leaving);
    const unserved = newcomers - this.count("starting") - leaving - Math.max(0, room);
    let lastOnesLeft = Math.max(unserved, -room - leaving);
    for (const idle of this.#idleOldestFirst()) {
      if (tooMany <= 0) return;
      const isLast = this.countOf(idle.tenantId ?? "") === 1;
      if (isLast && lastOnesLeft-- <= 0) continue;
      tooMany--;
      idle.kill();
    }
  }

  /** Ends what has served long enough, and what nobody has used for long. */
  retireOld(): void {
    const now = performance.now();
    for (const process of this.all()) {
      if (process.state !== "ready" || process.tenantId === null) continue;
      if (this.isWorn(process) || now - process.idleSince > this.#settings.idleMsMax) process.kill();
    }
  }

  isWorn({ runs, rssMib, startedAt }: SandboxProcess): boolean {
    const { runsMax, rssMibMax, ageMsMax } = this.#settings;
    return runs >= runsMax || rssMib > rssMibMax || performance.now() - startedAt > ageMsMax;
  }

  /** Ends every process and waits until none is left. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#startTimer);
    const all = this.all();
    for (const process of all) process.abandon();
    await Promise.all(all.map((process) => process.ended));
  }

  #idleOldestFirst(): SandboxProcess[] {
    return this.all()
      .filter(({ state, tenantId }) => state === "ready" && tenantId !== null)
      .sort((a, b) => a.idleSince - b.idleSince);
  }

  #mayStart(reserve: number): boolean {
    const hasRoom = this.size < this.#settings.processesMax + reserve;
    return hasRoom && this.count("starting") < STARTING_MAX && performance.now() >= this.#startNotBefore;
  }

  #start(spawn: () => SpawnedSandbox): void {
    let greeted = false;
    const onReady = (): void => {
      greeted = true;
      this.#failedStarts = 0;
      this.#onChange();
    };
    const process = new SandboxProcess(this.#settings, onReady, spawn);
    this.started++;
    this.#processes.add(process);
    void process.ended.then(() => {
      this.#processes.delete(process);
      if (!greeted && !this.#closed) this.#startFailed();
      this.#onChange();
    });
  }

  #startFailed(): void {
    this.#failedStarts++;
    const waitMs = Math.min(RESTART_MS * 2 ** (this.#failedStarts - 1), RESTART_MS_MAX);
    this.#startNotBefore = performance.now() + waitMs;
    clearTimeout(this.#startTimer);
    this.#startTimer = setTimeout(() => this.#onChange(), waitMs + 1);
  }
}
