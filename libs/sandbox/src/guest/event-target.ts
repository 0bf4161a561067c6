import { webInterface } from "./web-interface.ts";
import type { Event } from "./event.ts";
import { namedError } from "./errors.ts";
import { lazily } from "./lazily.ts";
import { Listeners } from "./listeners.ts";
import { requireArguments } from "./require-arguments.ts";

declare const require: (path: string) => unknown;

/** Few of the signals that are made ever fire. */
const events = lazily(() => require("./event.ts") as typeof import("./event.ts"));

let fire: (target: EventTarget, type: string) => void;

/** The base class of everything with listeners. */
export class EventTarget {
  readonly #listeners = new Listeners((signal, algorithm) => {
    const { followSignal, requireSignal } = require("./abort.ts") as typeof import("./abort.ts");
    const found = requireSignal(signal);
    if (!found.aborted) followSignal(found, algorithm);
    return !found.aborted;
  });

  static {
    webInterface(this, "EventTarget");
    fire = (target, type) => {
      if (target.#listeners.isEmpty) return;
      const { dispatchAt, Event: WebEvent } = events();
      const event = new WebEvent(type);
      dispatchAt(event, target, true, (state) => target.#listeners.call(target, event, state));
    };
  }

  addEventListener(type: unknown, callback: unknown, options?: unknown): void {
    requireArguments("EventTarget.addEventListener", 2, arguments.length);
    this.#listeners.add(type, callback, options);
  }
  removeEventListener(type: unknown, callback: unknown, options?: unknown): void {
    requireArguments("EventTarget.removeEventListener", 2, arguments.length);
    this.#listeners.remove(type, callback, options);
  }
  /** False if a listener prevented the event's default. */
  dispatchEvent(event: Event): boolean {
    requireArguments("EventTarget.dispatchEvent", 1, arguments.length);
    const { dispatchAt, stateOf } = events();
    if (stateOf(event).isUnderWay)
      throw namedError("InvalidStateError", "The event is already being dispatched");
    return dispatchAt(event, this, false, (state) => this.#listeners.call(this, event, state));
  }
  get [Symbol.toStringTag](): string {
    return "EventTarget";
  }
}

/** Sends an event of ours, which can't be prevented; it is only made if there are listeners. */
export const fireEvent = (target: EventTarget, type: string): void => fire(target, type);
