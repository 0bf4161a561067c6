import { PromiseCtor, promiseThen } from "./primordials.ts";

/** What listeners are handed; nothing here bubbles or can be prevented. */
export interface AbortEvent {
  readonly type: string;
  readonly target: object;
  readonly currentTarget: object;
}

type Callback = ((event: AbortEvent) => unknown) | { handleEvent(event: AbortEvent): unknown };
interface Listener {
  type: string;
  callback: Callback;
  once: boolean;
  removed: boolean;
}
/** What ends a listener: `follow` is called back before the signal's own listeners are. */
interface Stopping {
  readonly aborted: boolean;
  follow(algorithm: () => void): void;
}

const settled = PromiseCtor.resolve();

/** The listeners of one object, by the standard's rules: one callback counts once, and one that throws stops no other. */
export class Listeners {
  #all: Listener[] = [];
  readonly #stoppingBy: (signal: unknown) => Stopping;

  /** `stoppingBy` throws a TypeError for what is no signal. */
  constructor(stoppingBy: (signal: unknown) => Stopping) {
    this.#stoppingBy = stoppingBy;
  }

  add(type: unknown, callback: unknown, options: unknown): void {
    const { once = false, signal } = readOptions(options);
    const stopping = signal === undefined ? null : this.#stoppingBy(signal);
    if (callback === null || callback === undefined || stopping?.aborted === true) return;
    if (typeof callback !== "function" && typeof callback !== "object")
      throw new TypeError("a listener must be a function or an object with handleEvent");
    const listener = { type: String(type), callback: callback as Callback, once, removed: false };
    if (this.#find(listener.type, callback)) return;
    this.#all.push(listener);
    stopping?.follow(() => this.#remove(listener));
  }

  remove(type: unknown, callback: unknown): void {
    const listener = this.#find(String(type), callback);
    if (listener) this.#remove(listener);
  }

  /** Those that were there when it began are called, in their order. */
  dispatch(target: object, type: string): void {
    const event: AbortEvent = { type, target, currentTarget: target };
    for (const listener of this.#all.slice()) {
      if (listener.removed || listener.type !== type) continue;
      if (listener.once) this.#remove(listener);
      callListener(listener.callback, target, event);
    }
  }

  #find(type: string, callback: unknown): Listener | undefined {
    return this.#all.find((one) => one.type === type && one.callback === callback);
  }
  #remove(listener: Listener): void {
    listener.removed = true;
    this.#all = this.#all.filter((one) => one !== listener);
  }
}

/** What it throws is told in the log, as of any code that nobody waits for. */
function callListener(callback: Callback, target: object, event: AbortEvent): void {
  try {
    if (typeof callback === "function") callback.call(target, event);
    else callback.handleEvent(event);
  } catch (error) {
    void promiseThen(settled, () => {
      throw error;
    });
  }
}

function readOptions(options: unknown): { once?: boolean; signal?: unknown } {
  return typeof options === "object" && options !== null ? options : {};
}
