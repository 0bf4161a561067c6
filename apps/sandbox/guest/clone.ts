import {
  Bytes,
  isArray,
  isView,
  mapEach,
  mapGet,
  mapSet,
  MapCtor,
  objectToString,
  ownKeys,
  setEach,
} from "./primordials.ts";
import { isErrorLike, namedError } from "./errors.ts";

type Seen = Map<object, object>;

const refused = (what: string): Error => namedError("DataCloneError", `${what} could not be cloned.`);

/** A deep copy of data; functions and symbols are refused, class instances become plain objects, as on the web. */
export function structuredClone<T>(value: T): T {
  return copy(value, new MapCtor<object, object>()) as T;
}

function copy(value: unknown, seen: Seen): unknown {
  if (typeof value === "function" || typeof value === "symbol") throw refused(`A ${typeof value}`);
  if (typeof value !== "object" || value === null) return value;
  const known = mapGet(seen, value) as object | undefined;
  if (known !== undefined) return known;
  const made = shellOf(value);
  mapSet(seen, value, made);
  fill(value, made, seen);
  return made;
}

/** The copy before its contents, so that a circle finds it. */
function shellOf(value: object): object {
  const tag = objectToString(value);
  if (isArray(value)) return Array.from({ length: value.length });
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (isView(value)) return copyView(value);
  if (tag === "[object Date]") return new Date((value as Date).getTime());
  if (tag === "[object RegExp]") return new RegExp((value as RegExp).source, (value as RegExp).flags);
  if (tag === "[object Map]") return new Map();
  if (tag === "[object Set]") return new Set();
  if (isErrorLike(value)) return namedError(value.name, value.message);
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) throw refused(tag);
  return {};
}

function copyView(view: ArrayBufferView): ArrayBufferView {
  const bytes = new Bytes(view.buffer, view.byteOffset, view.byteLength).slice();
  const View = view.constructor as new (buffer: ArrayBuffer) => ArrayBufferView;
  return new View(bytes.buffer);
}

function fill(from: object, to: object, seen: Seen): void {
  if (to instanceof Map)
    mapEach(from, (item: unknown, key: unknown) => to.set(copy(key, seen), copy(item, seen)));
  else if (to instanceof Set) setEach(from, (item: unknown) => to.add(copy(item, seen)));
  else if (isArray(to) || objectToString(to) === "[object Object]") {
    const keys = ownKeys(from);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      if (typeof key === "symbol" || !Object.prototype.propertyIsEnumerable.call(from, key)) continue;
      (to as Record<string, unknown>)[key] = copy((from as Record<string, unknown>)[key], seen);
    }
  }
}
