import { apply, isInteger, mapDelete, mapGet, mapSet, mapSize, MapCtor, toNumber } from "./primordials.ts";
import { post } from "./bridge.ts";
import { began, ended } from "./outstanding.ts";

/** Timers that may wait at one time; the host keeps the same bound. */
const TIMERS_MAX = 1_000;
const DELAY_MS_MAX = 2_147_483_647;

interface Timer {
  callback: (...args: unknown[]) => unknown;
  args: unknown[];
  repeat: boolean;
}

const timers = new MapCtor<number, Timer>();
let lastId = 0;

function start(name: string, repeat: boolean, callback: unknown, delay: unknown, args: unknown[]): number {
  if (typeof callback !== "function") throw new TypeError(`${name} needs a function`);
  if (mapSize(timers) >= TIMERS_MAX) throw new RangeError(`more than ${TIMERS_MAX} timers wait`);
  const ms = toNumber(delay);
  const id = ++lastId;
  began();
  mapSet(timers, id, { callback: callback as Timer["callback"], args, repeat });
  post("timer", id, ms > 0 && ms <= DELAY_MS_MAX ? `${ms}` : "0", repeat ? "repeat" : "once");
  return id;
}

export const setTimeout = (callback: unknown, delay?: unknown, ...args: unknown[]): number =>
  start("setTimeout", false, callback, delay, args);

export const setInterval = (callback: unknown, delay?: unknown, ...args: unknown[]): number =>
  start("setInterval", true, callback, delay, args);

/** Also ends intervals; an id that is not waiting is ignored, as on the web. */
export function clearTimer(id: unknown): void {
  if (!isInteger(id) || !mapDelete(timers, id)) return;
  ended();
  post("clear", id as number, "", "");
}

/** The host's clock rang. */
export function ring(id: number): void {
  const timer = mapGet(timers, id) as Timer | undefined;
  if (timer === undefined) return;
  if (!timer.repeat && mapDelete(timers, id)) ended();
  apply(timer.callback, undefined, timer.args);
}
