import { webInterface } from "./web-interface.ts";
import { dictionary } from "./dictionary.ts";
import { performance } from "./performance.ts";
import { defineProperty, toText } from "./primordials.ts";
import { requireArguments } from "./require-arguments.ts";

interface EventInit {
  bubbles?: unknown;
  cancelable?: unknown;
  composed?: unknown;
}

/** The phases that the standard counts; here an event is only ever at its target. */
const PHASES = ["NONE", "CAPTURING_PHASE", "AT_TARGET", "BUBBLING_PHASE"] as const;

/** The state of one event while its listeners are called. */
interface Dispatch {
  isUnderWay: boolean;
  target: object | null;
  currentTarget: object | null;
  isPropagationStopped: boolean;
  /** The listeners that are left aren't called. */
  isStopped: boolean;
  isPassive: boolean;
  isTrusted: boolean;
}

let dispatchOf: (event: Event) => Dispatch;

/** The event that listeners get. There is no tree here: an event reaches the listeners of one target. */
export class Event {
  #type: string;
  #bubbles: boolean;
  #cancelable: boolean;
  readonly #composed: boolean;
  #isPrevented = false;
  readonly #timeStamp = performance.now();
  readonly #dispatch: Dispatch = {
    isUnderWay: false,
    target: null,
    currentTarget: null,
    isPropagationStopped: false,
    isStopped: false,
    isPassive: false,
    isTrusted: false,
  };

  static {
    webInterface(this, "Event");
    dispatchOf = (event) => event.#dispatch;
    for (let value = 0; value < PHASES.length; value++) {
      const constant = { value, writable: false, configurable: false, enumerable: true };
      defineProperty(this, PHASES[value] as string, constant);
      defineProperty(this.prototype, PHASES[value] as string, constant);
    }
  }

  constructor(type: unknown, init?: EventInit | null) {
    requireArguments("new Event", 1, arguments.length);
    this.#type = toText(type);
    const { bubbles, cancelable, composed } = dictionary(init);
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
    this.#composed = Boolean(composed);
  }

  get type(): string {
    return this.#type;
  }
  get target(): object | null {
    return this.#dispatch.target;
  }
  get srcElement(): object | null {
    return this.#dispatch.target;
  }
  get currentTarget(): object | null {
    return this.#dispatch.currentTarget;
  }
  composedPath(): object[] {
    const { currentTarget } = this.#dispatch;
    return currentTarget === null ? [] : [currentTarget];
  }
  get eventPhase(): number {
    return this.#dispatch.isUnderWay ? PHASES.indexOf("AT_TARGET") : 0;
  }
  stopPropagation(): void {
    this.#dispatch.isPropagationStopped = true;
  }
  get cancelBubble(): boolean {
    return this.#dispatch.isPropagationStopped;
  }
  set cancelBubble(stops: unknown) {
    if (stops) this.#dispatch.isPropagationStopped = true;
  }
  stopImmediatePropagation(): void {
    this.#dispatch.isPropagationStopped = true;
    this.#dispatch.isStopped = true;
  }
  get bubbles(): boolean {
    return this.#bubbles;
  }
  get cancelable(): boolean {
    return this.#cancelable;
  }
  get composed(): boolean {
    return this.#composed;
  }
  get returnValue(): boolean {
    return !this.#isPrevented;
  }
  set returnValue(goesOn: unknown) {
    if (!goesOn) this.preventDefault();
  }
  preventDefault(): void {
    if (this.#cancelable && !this.#dispatch.isPassive) this.#isPrevented = true;
  }
  get defaultPrevented(): boolean {
    return this.#isPrevented;
  }
  get isTrusted(): boolean {
    return this.#dispatch.isTrusted;
  }
  /** In whole milliseconds, as every clock here. */
  get timeStamp(): number {
    return this.#timeStamp;
  }
  initEvent(type: unknown, bubbles: unknown = false, cancelable: unknown = false): void {
    requireArguments("Event.initEvent", 1, arguments.length);
    if (this.#dispatch.isUnderWay) return;
    this.#type = toText(type);
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
    this.#isPrevented = false;
    this.#dispatch.isPropagationStopped = false;
    this.#dispatch.isStopped = false;
    this.#dispatch.isTrusted = false;
    this.#dispatch.target = null;
  }
  get [Symbol.toStringTag](): string {
    return "Event";
  }
}

/** An event with something of the sender's. */
export class CustomEvent extends Event {
  readonly #detail: unknown;

  static {
    webInterface(this, "CustomEvent");
  }

  constructor(type: unknown, init?: (EventInit & { detail?: unknown }) | null) {
    requireArguments("new CustomEvent", 1, arguments.length);
    super(type, init);
    this.#detail = dictionary(init).detail ?? null;
  }

  get detail(): unknown {
    return this.#detail;
  }
  override get [Symbol.toStringTag](): string {
    return "CustomEvent";
  }
}

/** The state of an event; a TypeError for any other value. */
export const stateOf = (event: unknown): Readonly<Dispatch> => {
  if (event instanceof Event) return dispatchOf(event);
  throw new TypeError("that is not an Event");
};

/** Has the event at `target` while `visit`, which must not throw, calls the listeners. False where it was prevented. */
export function dispatchAt(
  event: Event,
  target: object,
  isTrusted: boolean,
  visit: (state: Dispatch) => void,
): boolean {
  const state = dispatchOf(event);
  // Stopped before it was sent, it reaches nobody.
  Object.assign(state, {
    isUnderWay: true,
    isTrusted,
    target,
    currentTarget: target,
    isStopped: state.isPropagationStopped,
  });
  visit(state);
  Object.assign(state, {
    isUnderWay: false,
    currentTarget: null,
    isPropagationStopped: false,
    isStopped: false,
  });
  return !event.defaultPrevented;
}
