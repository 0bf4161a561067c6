import { Refusal } from "./refusal.ts";

/** Ends one exchange when its time is up or a signal fires, whichever comes first, and knows which it was. */
export class Deadline {
  readonly #stop = new AbortController();
  readonly #outer: readonly AbortSignal[];
  readonly #onOuter: () => void;
  #timer: NodeJS.Timeout | undefined;
  #refusal: Refusal | undefined;

  constructor(msMax: number, outer: readonly AbortSignal[]) {
    this.#outer = outer;
    this.#onOuter = () => this.abort();
    this.allow(msMax, `the request took longer than ${msMax} ms`);
    for (const signal of outer) {
      if (signal.aborted) this.#onOuter();
      else signal.addEventListener("abort", this.#onOuter, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Why the exchange was ended from outside, if it was. */
  get refusal(): Refusal | undefined {
    return this.#refusal;
  }

  /** Allows `msMax` from now on, with this text for the refusal. */
  allow(msMax: number, text: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#end(new Refusal("timeout", text)), msMax);
  }

  /** The time does not count until more is allowed; the signals do. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  abort(): void {
    this.#end(new Refusal("aborted", "the request was aborted"));
  }

  /** Waits for something that can't be aborted, no longer than `msMax` and no longer than the exchange has. */
  async race<T>(work: Promise<T>, msMax: number): Promise<T> {
    this.signal.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const ended = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Refusal("timeout", "the name could not be resolved in time")),
        msMax,
      );
      onAbort = () => reject(new Refusal("aborted", "the request was aborted"));
      this.signal.addEventListener("abort", onAbort, { once: true });
    });
    try {
      return await Promise.race([work, ended]);
    } finally {
      clearTimeout(timer);
      if (onAbort) this.signal.removeEventListener("abort", onAbort);
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const signal of this.#outer) signal.removeEventListener("abort", this.#onOuter);
  }

  #end(refusal: Refusal): void {
    if (this.#refusal) return;
    this.#refusal = refusal;
    this.#stop.abort();
  }
}
