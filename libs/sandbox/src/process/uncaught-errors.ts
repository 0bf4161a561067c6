import { uncaughtKey, uncaughtText } from "./uncaught-text.ts";

/** Errors that wait for the run's end, and keys that are remembered; only a strange tool has more. */
const HELD_MAX = 100;

/**
 * The errors of one run that nobody has caught yet. Those that are still uncaught at its end are logged. A catch may be
 * reported before the error: they come by different ways.
 */
export class UncaughtErrors {
  readonly #held: { key: string; text: string }[] = [];
  readonly #caught = new Set<string>();

  /** Holds an error back; returns one that must be logged at once if there are too many. */
  hold(error: unknown): string | null {
    const key = uncaughtKey(error);
    if (!this.#caught.delete(key)) this.#held.push({ key, text: uncaughtText(error) });
    return this.#held.length > HELD_MAX ? this.take() : null;
  }

  /** The oldest of this key, or the next one, was caught late. */
  caught(key: string): void {
    const at = this.#held.findIndex((one) => one.key === key);
    if (at >= 0) this.#held.splice(at, 1);
    else if (this.#caught.size < HELD_MAX) this.#caught.add(key);
  }

  /** No code of the tool runs any more: a catch without a held error means that it was never uncaught. */
  settle(): void {
    this.#caught.clear();
  }

  /** The oldest one to be logged. */
  take(): string | null {
    return this.#held.shift()?.text ?? null;
  }
}
