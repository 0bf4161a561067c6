/** After this many failed starts in a row whoever waits is told. */
const FAILED_STARTS_MAX = 3;
const RESTART_MS = 100;
const RESTART_MS_MAX = 5_000;

/** Holds starts back after failed ones, twice as long after each. */
export class StartBackoff {
  readonly #onRetry: () => void;
  #failed = 0;
  #notBefore = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onRetry` is called when a start may be tried again. */
  constructor(onRetry: () => void) {
    this.#onRetry = onRetry;
  }

  get mayStart(): boolean {
    return performance.now() >= this.#notBefore;
  }

  /** So many have failed that the next one most likely fails, too. */
  get isFailing(): boolean {
    return this.#failed >= FAILED_STARTS_MAX;
  }

  succeeded(): void {
    this.#failed = 0;
  }

  failed(): void {
    this.#failed++;
    const waitMs = Math.min(RESTART_MS * 2 ** (this.#failed - 1), RESTART_MS_MAX);
    this.#notBefore = performance.now() + waitMs;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onRetry, waitMs + 1);
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}
