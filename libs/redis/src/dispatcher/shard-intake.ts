import type { RedisClient } from "../connect/connect.ts";
import type { HandedOut } from "./handed-out.ts";
import { READY_QUEUE } from "./names.ts";
import { ReadyWorker } from "./ready-worker.ts";

/** The worker is replaced after so many looks in a row at which jobs waited, a slot was free and none had been taken. */
const WATCHDOG_LOOKS = 2;

export interface ShardIntakeInput {
  redisUrl: string;
  /** The watchdog's. */
  redis: Pick<RedisClient, "llen">;
  base: string;
  concurrency: number;
  /** Must not reject. */
  handle: (attempt: HandedOut, readySince: number) => Promise<void>;
  /** Told whenever `running` has changed. */
  onChange: () => void;
  onError: (error: unknown) => void;
}

/** Takes a shard's ready attempts with a BullMQ worker that is replaced when it makes no progress. */
export class ShardIntake {
  readonly #input: ShardIntakeInput;
  #worker: ReadyWorker;
  #slots: number;
  #generation = 0;
  #running = 0;
  // Attempts that workers since replaced have left running: they use slots.
  #orphans = 0;
  // Attempts of workers that died use slots too, which BullMQ does not count.
  #beside = 0;
  #taken = 0;
  #takenAtLastLook = 0;
  #idleLooks = 0;
  #stopped = false;

  constructor(input: ShardIntakeInput) {
    this.#input = input;
    this.#slots = input.concurrency;
    this.#worker = this.#openWorker();
  }

  /** Taken and not ended. */
  get running(): number {
    return this.#running;
  }

  /** How many may be taken at once from now on; one more may always be, and waits in memory. */
  set slots(slots: number) {
    this.#slots = slots;
    this.#fitWorker();
  }

  /** Watches progress, not `isRunning()`: a worker can look alive after a reconnect and take nothing. */
  async look(): Promise<void> {
    const { redis, base, onError } = this.#input;
    const hasFreeSlot = this.#running < this.#slots;
    const tookSome = this.#taken !== this.#takenAtLastLook;
    this.#takenAtLastLook = this.#taken;
    if (this.#stopped || tookSome || !hasFreeSlot) return void (this.#idleLooks = 0);
    try {
      const waiting = await redis.llen(`${base}:${READY_QUEUE}:wait`);
      this.#idleLooks = waiting > 0 && this.#taken === this.#takenAtLastLook ? this.#idleLooks + 1 : 0;
    } catch {
      // Redis is away, which the connection reports: there are no jobs, and the worker has not failed.
      this.#idleLooks = 0;
    }
    if (this.#idleLooks < WATCHDOG_LOOKS || this.#stopped) return;
    onError(new Error("jobs wait and none was taken: the queue's worker is replaced"));
    this.#replaceWorker();
  }

  /** Takes nothing new; resolves when BullMQ has settled the taken jobs, which may be never while Redis is away. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#worker.stop();
  }

  /** Drops the connections without waiting for running attempts. */
  async abandon(): Promise<void> {
    this.#stopped = true;
    await this.#worker.abandon();
  }

  #openWorker(): ReadyWorker {
    const { redisUrl, base, onError } = this.#input;
    const generation = ++this.#generation;
    return new ReadyWorker({
      redisUrl,
      prefix: base,
      concurrency: this.#workerSlots(),
      handle: (attempt, readySince) => this.#take(attempt, readySince, generation),
      handleAgain: (attempt, readySince) => this.#takeBeside(attempt, readySince),
      onError,
    });
  }

  async #take(attempt: HandedOut, readySince: number, generation: number): Promise<void> {
    this.#taken++;
    // Fetched before its worker was replaced, begun after.
    if (generation !== this.#generation) this.#orphans++;
    await this.#see(attempt, readySince);
    if (generation !== this.#generation) this.#orphans--;
    this.#fitWorker();
  }

  async #takeBeside(attempt: HandedOut, readySince: number): Promise<void> {
    this.#beside++;
    this.#fitWorker();
    await this.#see(attempt, readySince);
    this.#beside--;
    this.#fitWorker();
  }

  async #see(attempt: HandedOut, readySince: number): Promise<void> {
    this.#running++;
    this.#input.onChange();
    await this.#input.handle(attempt, readySince);
    this.#running--;
    this.#input.onChange();
  }

  #fitWorker(): void {
    this.#worker.concurrency = this.#workerSlots();
  }

  #workerSlots(): number {
    return Math.max(1, this.#slots - this.#orphans - this.#beside);
  }

  #replaceWorker(): void {
    this.#idleLooks = 0;
    this.#orphans = this.#running - this.#beside;
    this.#worker.abandon().catch(this.#input.onError);
    this.#worker = this.#openWorker();
  }
}
