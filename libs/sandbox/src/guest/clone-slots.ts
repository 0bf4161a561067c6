import { getOwnPropertyDescriptor, methodOf, toText, uncurry } from "./primordials.ts";

const getter = (prototype: object, name: string | symbol): ((self: unknown) => unknown) =>
  uncurry(getOwnPropertyDescriptor(prototype, name)?.get as () => unknown);
const dateTime = methodOf(Date.prototype, "getTime");
const regExpSource = getter(RegExp.prototype, "source");
const regExpFlags = getter(RegExp.prototype, "flags");
const bufferSlice = methodOf(ArrayBuffer.prototype, "slice");
/** The name of a view's kind, an internal slot; undefined for a DataView. */
const viewTag = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag);

/** Whether reading the internal slot behind `read` works; no other object can fake that. */
export function isA(read: (value: object) => unknown, value: object): boolean {
  try {
    read(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * A copy of an object that consists of internal slots alone: a buffer, a date, a pattern, a wrapped primitive. Null for
 * any other.
 */
export function copyBranded(value: object): object | null {
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

/** The same view of the buffer's copy, so that views of one buffer stay views of one buffer. */
export function copyView(view: ArrayBufferView, buffer: ArrayBuffer): ArrayBufferView {
  const tag = viewTag(view);
  const View = VIEWS.find((one) => one.name === tag);
  if (!View) return new DataView(buffer, view.byteOffset, view.byteLength);
  return new View(buffer, view.byteOffset, (view as Uint8Array).length);
}
