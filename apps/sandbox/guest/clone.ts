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
  objectToString,
  ownKeys,
  getOwnPropertyDescriptor,
  setEach,
  setSize,
  methodOf,
  toText,
  uncurry,
} from "./primordials.ts";

const getter = (prototype: object, name: string | symbol): ((self: unknown) => unknown) =>
  uncurry(getOwnPropertyDescriptor(prototype, name)?.get as () => unknown);
const dateTime = methodOf(Date.prototype, "getTime");
const regExpSource = getter(RegExp.prototype, "source");
const regExpFlags = getter(RegExp.prototype, "flags");
const bufferSlice = methodOf(ArrayBuffer.prototype, "slice");
const bufferTransfer = methodOf(ArrayBuffer.prototype, "transfer");
/** The name of a view's kind, an internal slot; undefined for a DataView. */
const viewTag = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);

type Seen = Map<object, object>;

const refused = (what: string): Error => namedError("DataCloneError", `${what} could not be cloned.`);

/**
 * A deep copy of data; functions and symbols are refused, class instances become plain objects, as on the web. What a
 * getter or a proxy of the value's own throws comes through.
 */
export function structuredClone<T>(value: T, options?: { transfer?: Iterable<unknown> }): T {
  const seen: Seen = new MapCtor<object, object>();
  for (const item of options?.transfer ?? []) {
    if (!(item instanceof ArrayBuffer)) throw refused("A value that can't be transferred");
    mapSet(seen, item, bufferTransfer(item));
  }
  return copy(value, seen) as T;
}

function copy(value: unknown, seen: Seen): unknown {
  if (typeof value === "function" || typeof value === "symbol") throw refused(`A ${typeof value}`);
  if (typeof value !== "object" || value === null) return value;
  const known = mapGet(seen, value) as object | undefined;
  if (known !== undefined) return known;
  const { made, fill } = shellOf(value, seen);
  mapSet(seen, value, made);
  fill?.();
  return made;
}

/** The copy before its contents, so that a circle finds it, and what puts them in. */
function shellOf(value: object, seen: Seen): { made: object; fill?: () => void } {
  if (isArray(value)) {
    const made: unknown[] = [];
    made.length = value.length;
    return { made, fill: () => copyFields(value, made, seen) };
  }
  if (isView(value)) return { made: copyView(value, seen) };
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
  if (isErrorLike(value)) return copyError(value, seen);
  const tag = objectToString(value);
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw refused(tag);
  const made = {};
  return { made, fill: () => copyFields(value, made, seen) };
}

/** Whether reading the internal slot behind `read` works, which nothing can pretend. */
function isA(read: (value: object) => unknown, value: object): boolean {
  try {
    read(value);
    return true;
  } catch {
    return false;
  }
}

function copyBranded(value: object): object | null {
  if (isA((one) => bufferSlice(one, 0, 0), value)) return bufferSlice(value, 0);
  if (isA(dateTime, value)) return new Date(dateTime(value));
  // A prototype's getters answer for itself too, so both must hold.
  if (value instanceof RegExp && isA(regExpFlags, value))
    return new RegExp(toText(regExpSource(value)), toText(regExpFlags(value)));
  for (const Wrapper of [Number, String, Boolean, BigInt]) {
    const { valueOf } = Wrapper.prototype as { valueOf: () => unknown };
    if (isA((one) => Reflect.apply(valueOf, one, []), value))
      return Object(Reflect.apply(valueOf, value, []));
  }
  return null;
}

const VIEWS: readonly (new (buffer: ArrayBuffer, at: number, length: number) => ArrayBufferView)[] = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float16Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
];

/** Views of one buffer stay views of one buffer. */
function copyView(view: ArrayBufferView, seen: Seen): ArrayBufferView {
  const buffer = copy(view.buffer, seen) as ArrayBuffer;
  const tag = viewTag(view);
  const View = VIEWS.find((one) => one.name === tag);
  if (!View) return new DataView(buffer, view.byteOffset, view.byteLength);
  return new View(buffer, view.byteOffset, (view as Uint8Array).length);
}

const ERRORS = [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

function copyError(error: Error, seen: Seen): { made: object; fill: () => void } {
  const { name, message, stack } = error;
  const Kind = ERRORS.find((one) => one.name === name) ?? Error;
  const made = new Kind(message === undefined ? "" : toText(message));
  const put = (key: string, value: unknown): boolean =>
    defineProperty(made, key, { value, writable: true, configurable: true, enumerable: false });
  // Web APIs name their errors so; on the web they are of a class of their own.
  if (Kind === Error && name !== "Error") put("name", toText(name));
  if (typeof stack === "string") put("stack", stack);
  return { made, fill: () => void (Object.hasOwn(error, "cause") && put("cause", copy(error.cause, seen))) };
}

function copyFields(from: object, to: object, seen: Seen): void {
  const keys = ownKeys(from);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    if (typeof key === "symbol" || getOwnPropertyDescriptor(from, key)?.enumerable !== true) continue;
    const value = copy((from as Record<string, unknown>)[key], seen);
    // Assigned, a field called __proto__ would change what the copy is.
    defineProperty(to, key, { value, writable: true, configurable: true, enumerable: true });
  }
}
