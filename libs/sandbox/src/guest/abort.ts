import { webInterface } from "./web-interface.ts";
import { EventTarget, fireEvent } from "./event-target.ts";
import { namedError } from "./errors.ts";
import { apply } from "./primordials.ts";
import { setTimeout } from "./timers.ts";

/** By the standard, a handler that is no function is kept and never called. */
type Handler = object | null;

/** Passed by this file alone: nobody else can make a signal. */
const KEY = Symbol("signal");

const TIMEOUT_MS_MAX = 2_147_483_647;

let abort: (signal: AbortSignal, reason: unknown) => void;
let follow: (signal: AbortSignal, algorithm: (reason: unknown) => void) => () => void;
let depend: (sources: readonly AbortSignal[]) => AbortSignal;

/** Tells its readers, once, that something must end, and why. */
export class AbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  #handler: Handler = null;
  readonly #followers = new Set<(reason: unknown) => void>();
  /** Signals that fire with this one; they depend on no other that does so itself. */
  readonly #dependents = new Set<AbortSignal>();
  /** The signals that a dependent one fires with. */
  #sources: Set<AbortSignal> | null = null;
  readonly #callHandler = (event: unknown): void => {
    if (typeof this.#handler === "function") apply(this.#handler, this, [event]);
  };

  static {
    webInterface(this, "AbortSignal");
    abort = (signal, reason) => signal.#abort(reason);
    follow = (signal, algorithm) => {
      signal.#followers.add(algorithm);
      return () => signal.#followers.delete(algorithm);
    };
    depend = (sources) => {
      const made = new AbortSignal(KEY);
      const first = sources.find((source) => source.#aborted);
      if (first) made.#abort(first.#reason);
      else made.#dependOn(sources);
      return made;
    };
  }

  constructor(key?: unknown) {
    if (key !== KEY) throw new TypeError("Illegal constructor");
    super();
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
    return depend([...signals].map(requireSignal));
  }

  get aborted(): boolean {
    return this.#aborted;
  }
  get reason(): unknown {
    return this.#reason;
  }
  get onabort(): Handler {
    return this.#handler;
  }
  /** Its position among the listeners is where it was first set; null removes it. */
  set onabort(value: unknown) {
    this.#handler = typeof value === "function" || typeof value === "object" ? value : null;
    if (this.#handler === null) this.removeEventListener("abort", this.#callHandler);
    else this.addEventListener("abort", this.#callHandler);
  }
  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }
  override get [Symbol.toStringTag](): string {
    return "AbortSignal";
  }

  #dependOn(signals: readonly AbortSignal[]): void {
    this.#sources = new Set(signals.flatMap((signal) => [...(signal.#sources ?? [signal])]));
    for (const source of this.#sources) source.#dependents.add(this);
  }

  /** A listener that reads the signals finds all of them aborted. */
  #abort(given: unknown): void {
    if (this.#aborted) return;
    const reason = given === undefined ? namedError("AbortError", "This operation was aborted") : given;
    const ended = [this, ...this.#dependents].filter((signal) => !signal.#aborted);
    this.#dependents.clear();
    for (const signal of ended) {
      signal.#aborted = true;
      signal.#reason = reason;
    }
    for (const signal of ended) signal.#tell();
  }

  #tell(): void {
    const followers = [...this.#followers];
    this.#followers.clear();
    for (const follower of followers) follower(this.#reason);
    fireEvent(this, "abort");
  }
}

export class AbortController {
  static {
    webInterface(this, "AbortController");
  }

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

/** A signal that fires with the first of these, after it; aborted already where one of them is. */
export function dependentOn(signals: readonly AbortSignal[]): AbortSignal {
  return depend(signals);
}

/** Calls the algorithm when the signal fires, before its listeners; the answer undoes that. */
export function followSignal(signal: AbortSignal, algorithm: (reason: unknown) => void): () => void {
  return follow(signal, algorithm);
}
