import { EventHeap, type Happening } from "./event-heap.ts";
import type { Random } from "./random.ts";

/** A virtual operating-system process: product code runs in it only through what the scheduler fires for it. */
export interface VirtualProcess {
  readonly name: string;
  alive: boolean;
  /** Stopped until this moment, as by SIGSTOP. */
  pausedUntil: number;
  /** Since when it has said nothing: it died or was stopped then. Null while it runs. */
  silentSince: number | null;
}

/** Where virtual time begins; any whole number of milliseconds does. */
const BEGINNING_MS = Date.UTC(2030, 0, 1);
const drained = globalThis.setImmediate;

/**
 * One virtual clock and everything that is to happen, in an order that the seed decides. Between two happenings all
 * microtasks run, so product code proceeds exactly to its next await of something virtual.
 */
export class Scheduler {
  now = BEGINNING_MS;
  steps = 0;
  /** Whose code runs at this moment; what it schedules is its own. */
  current: VirtualProcess | null = null;
  readonly #heap = new EventHeap();
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  spawn(name: string): VirtualProcess {
    return { name, alive: true, pausedUntil: 0, silentSince: null };
  }

  /** All its continuations stop for ever. */
  kill(process: VirtualProcess): void {
    process.alive = false;
    process.silentSince ??= this.now;
  }

  pause(process: VirtualProcess, ms: number): void {
    process.pausedUntil = Math.max(process.pausedUntil, this.now + ms);
    process.silentSince ??= this.now;
    this.after(ms, null, () => {
      if (process.alive && process.pausedUntil <= this.now) process.silentSince = null;
    });
  }

  /** An owner that died meanwhile is never called again; one that is stopped is called when it goes on. */
  after(ms: number, owner: VirtualProcess | null, fire: () => void): Happening {
    const happening: Happening = { at: this.now + Math.max(0, ms), tie: this.#random.next(), fire: null };
    happening.fire = () => {
      if (owner === null) return fire();
      if (!owner.alive) return;
      if (owner.pausedUntil > this.now) {
        happening.at = owner.pausedUntil;
        this.#heap.push(happening);
        return;
      }
      this.current = owner;
      fire();
    };
    this.#heap.push(happening);
    return happening;
  }

  sleep(ms: number, owner: VirtualProcess | null = this.current): Promise<void> {
    return new Promise((resolve) => void this.after(ms, owner, resolve));
  }

  /** Fires what is due until `done` says so, or until a moment; answers whether it was done. */
  async run(untilMs: number, done: () => boolean): Promise<boolean> {
    while (!done()) {
      const next = this.#heap.pop();
      if (next === undefined || next.at > untilMs) {
        if (next !== undefined) this.#heap.push(next);
        return done();
      }
      if (next.fire === null) continue;
      this.now = Math.max(this.now, next.at);
      this.steps += 1;
      next.fire();
      await new Promise((resolve) => drained(resolve));
      this.current = null;
    }
    return true;
  }
}
