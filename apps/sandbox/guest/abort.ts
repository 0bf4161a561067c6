import { apply, push } from "./primordials.ts";
import { namedError } from "./errors.ts";
import { setTimeout } from "./timers.ts";

type Listener = (event: { type: "abort"; target: AbortSignal }) => void;

/** Ends a `fetch` early from the tool's side; the request itself may still be counted. */
export class AbortSignal {
  aborted = false;
  reason: unknown = undefined;
  onabort: Listener | null = null;
  #listeners: (Listener | null)[] = [];

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal();
    signal._abort(reason);
    return signal;
  }

  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal();
    setTimeout(() => signal._abort(namedError("TimeoutError", "The operation timed out.")), ms);
    return signal;
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  addEventListener(type: string, listener: Listener): void {
    if (type === "abort") push(this.#listeners, listener);
  }

  removeEventListener(_type: string, listener: Listener): void {
    for (let i = 0; i < this.#listeners.length; i++) {
      if (this.#listeners[i] === listener) this.#listeners[i] = null;
    }
  }

  /** For AbortController only. */
  _abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason ?? namedError("AbortError", "This operation was aborted");
    const event = { type: "abort", target: this } as const;
    if (typeof this.onabort === "function") apply(this.onabort, this, [event]);
    for (let i = 0; i < this.#listeners.length; i++) {
      const listener = this.#listeners[i];
      if (typeof listener === "function") apply(listener, this, [event]);
    }
  }
}

export class AbortController {
  readonly signal = new AbortSignal();
  abort(reason?: unknown): void {
    this.signal._abort(reason);
  }
}
