import { copyError } from "./clone-error.ts";
import { copyBranded, copyView, isA } from "./clone-slots.ts";
import { dictionary } from "./dictionary.ts";
import { copyBlob, isUncloneable } from "./clone-web.ts";
import { isErrorLike, namedError } from "./errors.ts";
import {
  defineProperty,
  isArray,
  isView,
  mapEach,
  mapGet,
  mapSet,
  mapSize,
  MapCtor,
  methodOf,
  objectToString,
  ownKeys,
  getOwnPropertyDescriptor,
  uncurry,
  setEach,
  setSize,
} from "./primordials.ts";
import { requireArguments } from "./require-arguments.ts";
import { isProxy, watchProxies } from "./watched-proxy.ts";

// This file runs before the tool does, and only for one that names `structuredClone`.
watchProxies();

const bufferTransfer = methodOf(ArrayBuffer.prototype, "transfer");
const isDetached = uncurry(getOwnPropertyDescriptor(ArrayBuffer.prototype, "detached")?.get as () => boolean);
const DETACHED = "A detached ArrayBuffer";

type Seen = Map<object, object>;

const refused = (what: string): Error => namedError("DataCloneError", `${what} could not be cloned.`);

/**
 * A deep copy of data; functions, symbols and everything else that the web has no clone for are refused, class instances
 * become plain objects, as on the web. An error of the value's own getter passes through.
 */
export function structuredClone<T>(value: T, options?: { transfer?: Iterable<unknown> } | null): T {
  requireArguments("structuredClone", 1, arguments.length);
  const seen: Seen = new MapCtor<object, object>();
  for (const item of (dictionary(options).transfer ?? []) as Iterable<object>) {
    if (!isA(isDetached, item)) throw refused("A value that can't be transferred");
    if (isDetached(item)) throw refused(DETACHED);
    if (mapGet(seen, item) !== undefined) throw refused("A value that is transferred twice");
    mapSet(seen, item, bufferTransfer(item));
  }
  return copy(value, seen) as T;
}

function copy(value: unknown, seen: Seen): unknown {
  if (typeof value === "function" || typeof value === "symbol") throw refused(`A ${typeof value}`);
  if (typeof value !== "object" || value === null) return value;
  if (isProxy(value)) throw refused("A Proxy");
  const known = mapGet(seen, value) as object | undefined;
  if (known !== undefined) return known;
  const { made, fill } = shellOf(value, seen);
  mapSet(seen, value, made);
  fill?.();
  return made;
}

/** The copy before its contents, so that a circle finds it, and a function that adds them. */
function shellOf(value: object, seen: Seen): { made: object; fill?: () => void } {
  if (isArray(value)) {
    const made: unknown[] = [];
    made.length = value.length;
    return { made, fill: () => copyFields(value, made, seen) };
  }
  if (isA(isDetached, value) && isDetached(value)) throw refused(DETACHED);
  if (isView(value)) return { made: copyView(value, copy(value.buffer, seen) as ArrayBuffer) };
  const branded = copyBranded(value);
  if (branded) return { made: branded };
  if (isA(mapSize, value)) {
    const made = new Map<unknown, unknown>();
    return {
      made,
      fill: () => mapEach(value, (item, key) => mapSet(made, copy(key, seen), copy(item, seen))),
    };
  }
  if (isA(setSize, value)) {
    const made = new Set<unknown>();
    return { made, fill: () => setEach(value, (item: unknown) => void made.add(copy(item, seen))) };
  }
  if (isErrorLike(value)) return copyError(value, (inner) => copy(inner, seen));
  const tag = objectToString(value);
  if (tag !== "[object Object]") {
    const blob = tag === "[object Blob]" || tag === "[object File]" ? copyBlob(value) : undefined;
    if (blob) return { made: blob };
    if (isUncloneable(value, tag)) throw refused(tag);
  }
  const made = {};
  return { made, fill: () => copyFields(value, made, seen) };
}

function copyFields(from: object, to: object, seen: Seen): void {
  const keys = ownKeys(from);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (typeof key === "symbol" || getOwnPropertyDescriptor(from, key)?.enumerable !== true) continue;
    const value = copy((from as Record<string, unknown>)[key], seen);
    // An assigned field called __proto__ would change the copy's prototype.
    defineProperty(to, key, { value, writable: true, configurable: true, enumerable: true });
  }
}
