import type { ApiKeyStore, Clock } from "@bulkhead/core";

export interface KeyUsesDeps {
  apiKeys: Pick<ApiKeyStore, "used">;
  clock: Clock;
  report: (what: string, error: unknown) => void;
}

/** A key's use is written once in so many milliseconds. */
const EVERY_MS = 60_000;
/** Uses are collected for so long before they are written; after a failure for longer. */
const COLLECT_MS = 1_000;
const COLLECT_AFTER_FAILURE_MS = 10_000;
/** Keys that are known to be written, and keys that wait for it; beyond them a use is not recorded. */
const KEYS_MAX = 20_000;
/** Keys that one statement writes. */
const WRITTEN_AT_ONCE_MAX = 1_000;

/**
 * Writes down when keys were last used, behind the requests: a request costs a look into a map. One statement is under way
 * at a time, so a database that is slow is asked less often, and nothing piles up.
 */
export class KeyUses {
  readonly #deps: KeyUsesDeps;
  /** When each key was last taken for writing, in ms since 1970. */
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, Date>();
  #writing: Promise<void> | undefined;
  #isClosed = false;
  /** Ends the pause under way. */
  #goOn: () => void = () => undefined;

  constructor(deps: KeyUsesDeps) {
    this.#deps = deps;
  }

  saw(keyId: string): void {
    const at = this.#deps.clock();
    const before = this.#taken.get(keyId);
    if (before !== undefined && at.getTime() - before < EVERY_MS) return;
    if (this.#waiting.size >= KEYS_MAX || this.#isClosed) return;
    // What is forgotten is asked for again, and the store writes it once a minute all the same.
    if (this.#taken.size >= KEYS_MAX) this.#taken.clear();
    this.#taken.set(keyId, at.getTime());
    this.#waiting.set(keyId, at);
    this.#writing ??= this.#writeAll();
  }

  /** Writes what waits, once; later uses are not recorded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#goOn();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    let pauseMs = COLLECT_MS;
    while (this.#waiting.size > 0 && !this.#isClosed) {
      await this.#pause(pauseMs);
      pauseMs = (await this.#write()) ? COLLECT_MS : COLLECT_AFTER_FAILURE_MS;
    }
    this.#writing = undefined;
  }

  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#goOn = resolve;
    const timer = setTimeout(resolve, ms).unref();
    await promise;
    clearTimeout(timer);
  }

  async #write(): Promise<boolean> {
    const uses = new Map([...this.#waiting].slice(0, WRITTEN_AT_ONCE_MAX));
    try {
      await this.#deps.apiKeys.used(uses);
    } catch (error) {
      this.#deps.report("writing down when keys were last used failed; it is tried again", error);
      return false;
    }
    for (const [keyId, at] of uses) if (this.#waiting.get(keyId) === at) this.#waiting.delete(keyId);
    return true;
  }
}
