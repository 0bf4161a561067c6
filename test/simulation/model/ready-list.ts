import type { AttemptKey } from "@bulkhead/domain";
import type { VirtualProcess } from "../kernel/scheduler.ts";
import { nameOf } from "./waiting.ts";

/** A job whose worker has been silent for so long has stalled: BullMQ's lock, and its two looks. Milliseconds. */
const STALLED_MS = 45_000;

/** Held as long as its worker runs and knows that it has it: an answer may be lost on its way. */
interface Lock {
  worker: VirtualProcess;
  known: ReadonlySet<string>;
  at: number;
}

/** BullMQ as it is used here: first in, first out; an id that is known is ignored; a stalled job fails and vanishes. */
export class ReadyList {
  readonly #waiting: AttemptKey[] = [];
  readonly #active = new Map<string, Lock>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    this.#dropStalled();
    return this.#waiting.length + this.#active.size;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(attempts: AttemptKey[]): void {
    for (const attempt of attempts) if (!this.has(nameOf(attempt))) this.#waiting.push(attempt);
  }

  /** Hands one out twice, as a stall may. */
  repeat(attempt: AttemptKey): void {
    this.#waiting.push(attempt);
  }

  has(name: string): boolean {
    this.#dropStalled();
    return this.#active.has(name) || this.#waiting.some((attempt) => nameOf(attempt) === name);
  }

  /** `known` are the names of what the worker knows that it has; it keeps them up to date. */
  take(worker: VirtualProcess, known: ReadonlySet<string>): AttemptKey | null {
    const attempt = this.#waiting.shift() ?? null;
    if (attempt) this.#active.set(nameOf(attempt), { worker, known, at: this.#now() });
    return attempt;
  }

  complete(attempt: AttemptKey, worker: VirtualProcess): void {
    if (this.#active.get(nameOf(attempt))?.worker === worker) this.#active.delete(nameOf(attempt));
  }

  /** Nothing that a worker has locked. */
  removeWaiting(attempt: AttemptKey): void {
    const place = this.#waiting.findIndex((other) => nameOf(other) === nameOf(attempt));
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  #dropStalled(): void {
    for (const [name, { worker, known, at }] of this.#active) {
      const silentSince = worker.silentSince ?? (known.has(name) ? null : at);
      if (silentSince !== null && this.#now() - silentSince > STALLED_MS) this.#active.delete(name);
    }
  }
}
