import { nameClass } from "./name-class.ts";
import { callListener, Listeners, type AbortEvent } from "./listeners.ts";
import { namedError } from "./errors.ts";
import { setTimeout } from "./timers.ts";

type Handler = (event: AbortEvent) => unknown;

/** Passed by this file alone: nobody else can make a signal. */
const KEY = Symbol("signal");

const TIMEOUT_MS_MAX = 2_147_483_647;

let abort: (signal: AbortSignal, reason: unknown) => void;
let follow: (signal: AbortSignal, algorithm: (reason: unknown) => void) => () => void;

/** Tells whoever looks at it, once, that something is to end, and why. */
export class AbortSignal {
  onabort: Handler | null = null;
  #aborted = false;
  #reason: unknown = undefined;
  readonly #listeners = new Listeners();
  readonly #followers = new Set<(reason: unknown) => void>();

  static {
    nameClass(this, "AbortSignal");
    abort = (signal, reason) => signal.#abort(reason);
    follow = (signal, algorithm) => {
      signal.#followers.add(algorithm);
      return () => signal.#followers.delete(algorithm);
    };
  }

  constructor(key?: unknown) {
    if (key !== KEY) throw new TypeError("Illegal constructor");
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(KEY);
    signal.#abort(reason);
    return signal;
  }

  static timeout(ms: unknown): AbortSignal {
    const count = Number(ms);
    if (!(count >= 0 && count <= TIMEOUT_MS_MAX))
      throw new TypeError("AbortSignal.timeout needs milliseconds");
    const signal = new AbortSignal(KEY);
    const late = () => signal.#abort(namedError("TimeoutError", "The operation was aborted due to timeout"));
    setTimeout(late, count);
    return signal;
  }

  static any(signals: Iterable<unknown>): AbortSignal {
    const any = new AbortSignal(KEY);
    const sources = [...signals].map(requireSignal);
    const first = sources.find((source) => source.aborted);
    if (first) any.#abort(first.reason);
    else for (const source of sources) followSignal(source, (reason) => any.#abort(reason));
    return any;
  }

  get aborted(): boolean {
    return this.#aborted;
  }
  get reason(): unknown {
    return this.#reason;
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }
  addEventListener(type: unknown, callback: unknown, options?: unknown): void {
    this.#listeners.add(type, callback, options);
  }
  removeEventListener(type: unknown, callback: unknown): void {
    this.#listeners.remove(type, callback);
  }
  get [Symbol.toStringTag](): string {
    return "AbortSignal";
  }

  #abort(given: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = given === undefined ? namedError("AbortError", "This operation was aborted") : given;
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const follower of followers) follower(this.#reason);
    const event = { type: "abort", target: this, currentTarget: this };
    if (typeof this.onabort === "function") callListener(this.onabort, this, event);
    this.#listeners.dispatch(this, "abort");
  }
}

export class AbortController {
  readonly #signal = new AbortSignal(KEY);
  get signal(): AbortSignal {
    return this.#signal;
  }
  abort(reason?: unknown): void {
    abort(this.#signal, reason);
  }
  get [Symbol.toStringTag](): string {
    return "AbortController";
  }
}

/** Throws a TypeError for everything else. */
export function requireSignal(value: unknown): AbortSignal {
  if (value instanceof AbortSignal) return value;
  throw new TypeError("the signal must be an AbortSignal");
}

/** Calls the algorithm when the signal fires, before its listeners; the answer undoes that. */
export function followSignal(signal: AbortSignal, algorithm: (reason: unknown) => void): () => void {
  return follow(signal, algorithm);
}
