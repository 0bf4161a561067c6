import { PromiseCtor, promiseThen, toText } from "./primordials.ts";
import type { Event } from "./event.ts";

type Callback = ((event: Event) => unknown) | { handleEvent(event: Event): unknown };
interface Listener {
  type: string;
  callback: Callback;
  capture: boolean;
  once: boolean;
  passive: boolean;
  removed: boolean;
}
interface Options {
  capture?: unknown;
  once?: unknown;
  passive?: unknown;
  signal?: unknown;
}
/** The controls that listeners have over an event. */
interface Passing {
  isStopped: boolean;
  isPassive: boolean;
}

const settled = PromiseCtor.resolve();

/** The listeners of one object, by the standard's rules: one callback counts once, and one that throws stops no other. */
export class Listeners {
  #all: Listener[] = [];
  readonly #follow: (signal: unknown, algorithm: () => void) => boolean;

  /** `follow` throws a TypeError for a value that is no signal; false if the signal has fired already. */
  constructor(follow: (signal: unknown, algorithm: () => void) => boolean) {
    this.#follow = follow;
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  add(type: unknown, callback: unknown, options: unknown): void {
    const { once, passive, signal } = readOptions(options);
    const capture = captures(options);
    if (!isCallback(callback)) {
      if (signal !== undefined) this.#follow(signal, () => undefined);
      return;
    }
    const listener: Listener = {
      type: toText(type),
      callback,
      capture,
      once: Boolean(once),
      passive: Boolean(passive),
      removed: false,
    };
    if (signal !== undefined && !this.#follow(signal, () => this.#remove(listener))) return;
    if (!this.#find(listener.type, callback, capture)) this.#all.push(listener);
  }

  remove(type: unknown, callback: unknown, options: unknown): void {
    const listener = isCallback(callback) && this.#find(toText(type), callback, captures(options));
    if (listener) this.#remove(listener);
  }

  /** Calls the listeners that were there when it began: those that capture first, each in their order. */
  call(target: object, event: Event, passing: Passing): void {
    const found = this.#all.filter(({ type }) => type === event.type);
    const inOrder = [...found.filter(({ capture }) => capture), ...found.filter(({ capture }) => !capture)];
    for (const listener of inOrder) {
      if (passing.isStopped) return;
      if (listener.removed) continue;
      if (listener.once) this.#remove(listener);
      passing.isPassive = listener.passive;
      callListener(listener.callback, target, event);
      passing.isPassive = false;
    }
  }

  #find(type: string, callback: Callback, capture: boolean): Listener | undefined {
    return this.#all.find((one) => one.type === type && one.callback === callback && one.capture === capture);
  }
  #remove(listener: Listener): void {
    listener.removed = true;
    this.#all = this.#all.filter((one) => one !== listener);
  }
}

/** An error of the callback is logged, like any in code that nobody waits for. */
function callListener(callback: Callback, target: object, event: Event): void {
  try {
    if (typeof callback === "function") callback.call(target, event);
    else callback.handleEvent(event);
  } catch (error) {
    void promiseThen(settled, () => {
      throw error;
    });
  }
}

/** False for the lack of one. */
function isCallback(callback: unknown): callback is Callback {
  if (callback === null || callback === undefined) return false;
  if (typeof callback !== "function" && typeof callback !== "object")
    throw new TypeError("a listener must be a function or an object with handleEvent");
  return true;
}

const isOptions = (options: unknown): options is Options =>
  (typeof options === "object" && options !== null) || typeof options === "function";

const readOptions = (options: unknown): Options => (isOptions(options) ? options : {});

/** Alone, without an object around it, it is the whole of the options. */
const captures = (options: unknown): boolean => Boolean(isOptions(options) ? options.capture : options);
