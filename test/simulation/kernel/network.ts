import { Fault } from "@bulkhead/core";
import type { Random } from "./random.ts";
import type { Scheduler, VirtualProcess } from "./scheduler.ts";

/** A store that processes call. */
export interface Server {
  readonly name: string;
  /** Whether what one process asks arrives in the order asked, as over one connection. */
  readonly ordered: boolean;
  /** Reached by nobody until then. */
  downUntil: number;
}

/** How likely each mishap is at one call; all zero once the world is healed. */
export interface Mishaps {
  /** The call fails and did nothing. */
  lost: number;
  /** The call took effect and its caller hears of a failure. */
  unanswered: number;
  /** The caller dies before the call has taken effect, or after it and before the answer. */
  crash: number;
  /** The caller is stopped while the answer is under way. */
  pause: number;
  /** The call takes long. */
  slow: number;
}

export const NO_MISHAPS: Readonly<Mishaps> = { lost: 0, unanswered: 0, crash: 0, pause: 0, slow: 0 };

const LATENCY_MS = 2;
const SLOW_MS_MAX = 4_000;

export interface NetworkHooks {
  crash(process: VirtualProcess, why: string): void;
  pause(process: VirtualProcess, why: string): void;
}

/** Calls of processes to stores: each is an await at which the seed may delay, reorder, fail, stop or kill. */
export class Network {
  mishaps: Mishaps = { ...NO_MISHAPS };
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #hooks: NetworkHooks;
  readonly #lanes = new WeakMap<VirtualProcess, Map<string, number>>();

  constructor(scheduler: Scheduler, random: Random, hooks: NetworkHooks) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#hooks = hooks;
  }

  /** `effect` takes place at once, at some moment, or never. Rejects with `service.unavailable`, or with what it throws. */
  call<T>(from: VirtualProcess, to: Server, what: string, effect: () => T): Promise<T> {
    const { lost, unanswered, crash, pause } = this.mishaps;
    const random = this.#random;
    const isLost = random.chance(lost);
    const isUnanswered = random.chance(unanswered);
    const dies = random.chance(crash) ? random.pick(["before", "after"] as const) : null;
    const stops = random.chance(pause);
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Fault("service.unavailable", { internal: what }));
      const reply = (say: () => void): void =>
        void this.#scheduler.after(this.#latency(from, to, "back"), from, say);
      this.#scheduler.after(this.#latency(from, to, "there"), null, () => {
        if (dies === "before") this.#hooks.crash(from, `before ${what}`);
        // What a dead process had sent may still arrive.
        if (!from.alive && random.chance(0.5)) return;
        if (isLost || to.downUntil > this.#scheduler.now) return reply(fail);
        let answer: T;
        try {
          answer = effect();
        } catch (error) {
          return reply(() => reject(error));
        }
        if (dies === "after") return this.#hooks.crash(from, `after ${what}`);
        if (stops) this.#hooks.pause(from, `after ${what}`);
        reply(isUnanswered ? fail : () => resolve(answer));
      });
    });
  }

  #latency(from: VirtualProcess, to: Server, way: string): number {
    const slow = this.#random.chance(this.mishaps.slow);
    const ms =
      this.#random.skewed(LATENCY_MS, LATENCY_MS * 5) + (slow ? this.#random.between(0, SLOW_MS_MAX) : 0);
    if (!to.ordered) return ms;
    const lanes = this.#lanes.get(from) ?? new Map<string, number>();
    this.#lanes.set(from, lanes);
    const lane = `${to.name} ${way}`;
    // Strictly behind the one before: equal moments would be ordered by chance.
    const arrival = Math.max(this.#scheduler.now + ms, (lanes.get(lane) ?? 0) + 0.001);
    lanes.set(lane, arrival);
    return arrival - this.#scheduler.now;
  }
}
