import type { VirtualProcess } from "../kernel/scheduler.ts";
import { startApi, type Api } from "./api.ts";
import { startWorker } from "./worker.ts";
import type { World } from "./world.ts";

const WORKERS = 2;
const APIS = 2;
const RESTART_MS_MAX = 4_000;

/** The processes of a world; one that dies is replaced by a new one after a while. */
export class Fleet {
  readonly #world: World;
  #started = 0;
  #apis: Api[] = [];
  #workers: { process: VirtualProcess; stop: () => void }[] = [];

  constructor(world: World) {
    this.#world = world;
    world.onDeath = (process) => this.#replace(process);
    for (let n = 0; n < APIS; n += 1) this.#startApi();
    for (let n = 0; n < WORKERS; n += 1) this.#startWorker();
  }

  get apis(): Api[] {
    return this.#apis;
  }

  get workers(): VirtualProcess[] {
    return this.#workers.map(({ process }) => process);
  }

  get all(): VirtualProcess[] {
    return [...this.workers, ...this.#apis.map(({ process }) => process)];
  }

  /** Whether nobody is stopped or being replaced. */
  get isWhole(): boolean {
    const all = this.#workers.length === WORKERS && this.#apis.length === APIS;
    return all && this.all.every(({ silentSince }) => silentSince === null);
  }

  stopOneGently(): void {
    if (this.#workers.length > 0) this.#world.random.pick(this.#workers).stop();
  }

  #replace(process: VirtualProcess): void {
    const wasApi = this.#apis.some((api) => api.process === process);
    this.#apis = this.#apis.filter((api) => api.process !== process);
    this.#workers = this.#workers.filter((worker) => worker.process !== process);
    const { random, scheduler } = this.#world;
    const start = wasApi ? () => this.#startApi() : () => this.#startWorker();
    scheduler.after(random.between(100, RESTART_MS_MAX), null, start);
  }

  #startApi(): void {
    this.#apis.push(startApi(this.#world, `api-${(this.#started += 1)}`));
  }

  #startWorker(): void {
    const slots = this.#world.random.whole(1, 3);
    this.#workers.push(startWorker(this.#world, `worker-${(this.#started += 1)}`, slots));
  }
}
