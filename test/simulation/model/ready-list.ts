import type { AttemptKey } from "@bulkhead/core";
import type { VirtualProcess } from "../kernel/scheduler.ts";
import { nameOf } from "./waiting.ts";

/** A job whose worker has been silent for so long has stalled: BullMQ's lock, and its two looks. Milliseconds. */
const STALLED_MS = 16_000;

/** One that stalled says so. */
type Ready = AttemptKey & { again?: true };

/** Held as long as its worker runs and knows that it has it: an answer may be lost on its way. */
interface Lock {
  attempt: Ready;
  worker: VirtualProcess;
  known: ReadonlySet<string>;
  at: number;
}

/** BullMQ as it is used here: first in, first out; an id that is known is ignored; a stalled job is taken again. */
export class ReadyList {
  readonly #waiting: Ready[] = [];
  readonly #active = new Map<string, Lock>();
  readonly #now: () => number;
  /** So many of those that are taken next are handed out once more at once. */
  repeatNext = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    this.#freeStalled();
    return this.#waiting.length + this.#active.size;
  }

  get waiting(): number {
    this.#freeStalled();
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
    this.#freeStalled();
    return this.#active.has(name) || this.#waiting.some((attempt) => nameOf(attempt) === name);
  }

  /** Whether a worker has it. */
  isTaken(name: string): boolean {
    this.#freeStalled();
    return this.#active.has(name);
  }

  /** `known` are the names of what the worker knows that it has; it keeps them up to date. */
  take(worker: VirtualProcess, known: ReadonlySet<string>): Ready | null {
    const attempt = this.#waiting.shift() ?? null;
    if (attempt && this.repeatNext > 0) {
      this.repeatNext -= 1;
      this.repeat(attempt);
    }
    if (attempt) this.#active.set(nameOf(attempt), { attempt, worker, known, at: this.#now() });
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

  #freeStalled(): void {
    for (const [name, { attempt, worker, known, at }] of this.#active) {
      const silentSince = worker.silentSince ?? (known.has(name) ? null : at);
      if (silentSince === null || this.#now() - silentSince <= STALLED_MS) continue;
      this.#active.delete(name);
      this.#waiting.unshift({ ...attempt, again: true });
    }
  }
}
