import { post } from "./bridge.ts";
import { head } from "./budget.ts";
import { isErrorLike } from "./errors.ts";
import {
  defineProperty,
  getOwnPropertyDescriptor,
  PromiseCtor,
  promisePrototype,
  promiseThen,
  toText,
} from "./primordials.ts";

/** The host's too. */
const KEY_CHARS_MAX = 200;

let isWatching = false;
let isNoting = false;

/**
 * From here on the host hears of each rejection that is caught late, which V8 reports to nobody. A wait for a promise, by
 * `await` or by a method, reads its `constructor` first. Watching that makes each wait a little slower, so it only begins
 * in runs in which a promise can be rejected while another is waited for.
 */
export function watchCatches(): void {
  if (isWatching) return;
  isWatching = true;
  const own = getOwnPropertyDescriptor(promisePrototype, "constructor");
  // A tool that has its own there has its reasons.
  if (own?.value !== PromiseCtor || own.configurable !== true) return;
  defineProperty(promisePrototype, "constructor", {
    get(this: unknown) {
      if (!isNoting) note(this);
      return PromiseCtor;
    },
    set(this: object, value: unknown) {
      defineProperty(this, "constructor", {
        value,
        writable: true,
        configurable: true,
        enumerable: this !== promisePrototype,
      });
    },
    configurable: true,
    enumerable: false,
  });
}

/** A promise that was rejected before is heard of before one that is fulfilled now. */
function note(promise: unknown): void {
  isNoting = true;
  try {
    let isOld = true;
    void promiseThen(
      promise,
      undefined as never,
      ((reason: unknown) => {
        if (isOld) post("caught", 0, keyOf(reason), "");
      }) as never,
    );
    const now = new PromiseCtor<void>((done) => done());
    void promiseThen(now, (() => (isOld = false)) as never, undefined as never);
  } catch {
    // It is no promise, but an object that inherits from one.
  } finally {
    isNoting = false;
  }
}

/** The key by which the host knows it too: the message of an error, whose getter may throw. */
function keyOf(reason: unknown): string {
  try {
    return isErrorLike(reason) ? head(`error ${toText(reason.message)}`, KEY_CHARS_MAX) : "other";
  } catch {
    return "other";
  }
}
