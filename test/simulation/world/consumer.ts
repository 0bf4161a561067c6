import type { AttemptKey, QueueConsumer } from "@bulkhead/core";
import type { VirtualProcess } from "../kernel/scheduler.ts";
import { nameOf } from "../model/waiting.ts";
import type { World } from "./world.ts";

/** How long a worker that found nothing waits before it looks again; milliseconds. */
const LOOK_MS = 50;

/** Takes attempts as BullMQ's worker does: as many at once as it has slots, each until its handler is done. */
export class VirtualConsumer implements QueueConsumer {
  readonly #world: World;
  readonly #process: VirtualProcess;
  readonly #slots: number;
  readonly #handle: (attempt: AttemptKey) => Promise<void>;
  readonly #known = new Set<string>();
  #taking = true;
  #idle: (() => void) | null = null;

  constructor(
    world: World,
    process: VirtualProcess,
    slots: number,
    handle: (attempt: AttemptKey) => Promise<void>,
  ) {
    this.#world = world;
    this.#process = process;
    this.#slots = slots;
    this.#handle = handle;
    void this.#loop();
  }

  drain(): Promise<void> {
    this.#taking = false;
    return this.#known.size === 0 ? Promise.resolve() : new Promise((resolve) => (this.#idle = resolve));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #loop(): Promise<void> {
    const { random, scheduler } = this.#world;
    while (this.#taking) {
      const wants = this.#known.size < this.#slots && this.#world.ready.waiting > 0;
      const attempt = wants ? await this.#ask("take", () => this.#take()).catch(() => null) : null;
      if (attempt) void this.#see(attempt);
      else await scheduler.sleep(random.skewed(LOOK_MS, LOOK_MS * 5), this.#process);
    }
  }

  #take(): AttemptKey | null {
    return this.#world.ready.take(this.#process, this.#known);
  }

  async #see(attempt: AttemptKey): Promise<void> {
    this.#known.add(nameOf(attempt));
    await this.#handle(attempt).catch(() => this.#world.report("an attempt was not handled"));
    await this.#ask("complete", () => this.#world.ready.complete(attempt, this.#process)).catch(
      () => undefined,
    );
    this.#known.delete(nameOf(attempt));
    if (this.#known.size === 0) this.#idle?.();
  }

  #ask<T>(what: string, effect: () => T): Promise<T> {
    return this.#world.network.call(this.#process, this.#world.redis, what, effect);
  }
}
