import { blobs } from "./body-modules.ts";
import { isA } from "./clone-slots.ts";
import { makeGlobal } from "./globals.ts";
import {
  apply,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  globalScope,
  matchOf,
  methodOf,
  symbolText,
  weakMapGet,
  weakSetHas,
} from "./primordials.ts";

const isPrototypeOf = methodOf(Object.prototype, "isPrototypeOf");
const promises = Promise.prototype;
const iterators = Iterator.prototype;
const asyncGenerators = getPrototypeOf(async function* () {}.prototype as object) as object;
const wrappedIterators = getPrototypeOf(Iterator.from({ next: () => ({ done: true, value: 0 }) })) as object;
const derefWeak = methodOf(WeakRef.prototype, "deref");

/** Tags of the language's own iterators: reading their slots would move them on. */
const ITERATOR =
  /^\[object (?:(?:Array|Map|Set|String|RegExp String|Segmenter String) Iterator|Iterator Helper|Generator)\]$/;

const OF_INTL = /^\[object (Intl|Temporal)\.(\w+)\]$/;

/** A copy of a Blob or a File, undefined for all else. */
export function copyBlob(value: object): object | undefined {
  const { Blob, File, blobBytes } = blobs();
  if (!(value instanceof Blob) || !isA(() => blobBytes(value), value)) return undefined;
  const { type } = value;
  if (!(value instanceof File)) return new Blob([value], { type });
  return new File([value], value.name, { type, lastModified: value.lastModified });
}

/** Whether the standard has no clone for an object with this tag: its state lies in internal slots. */
export function isUncloneable(value: object, tag: string): boolean {
  switch (tag) {
    case "[object Promise]":
      return isPrototypeOf(promises, value);
    case "[object WeakMap]":
      return isA((one) => weakMapGet(one, one), value);
    case "[object WeakSet]":
      return isA((one) => weakSetHas(one, one), value);
    case "[object WeakRef]":
      return isA(derefWeak, value);
    case "[object Symbol]":
      return isA(symbolText, value);
    case "[object AsyncGenerator]":
      return isPrototypeOf(asyncGenerators, value);
    case "[object Iterator]":
      return isPrototypeOf(wrappedIterators, value);
    case "[object URL]":
      return reads("URL", "href", value);
    case "[object URLSearchParams]":
      return reads("URLSearchParams", "size", value);
    case "[object FormData]":
      return reads("FormData", "has", value);
    case "[object Headers]":
      return reads("Headers", "has", value);
    case "[object Request]":
      return reads("Request", "method", value);
    case "[object Response]":
      return reads("Response", "status", value);
    case "[object ReadableStream]":
      return reads("ReadableStream", "locked", value);
    case "[object WritableStream]":
      return reads("WritableStream", "locked", value);
    case "[object TransformStream]":
      return reads("TransformStream", "readable", value);
    case "[object AbortController]":
      return reads("AbortController", "signal", value);
    case "[object AbortSignal]":
      return reads("AbortSignal", "aborted", value);
    default:
      return (matchOf(ITERATOR, tag) !== null && isPrototypeOf(iterators, value)) || isOfIntl(value, tag);
  }
}

/** Whether it is an object of `Intl` or `Temporal`: each class of theirs has a method that only its own objects answer. */
function isOfIntl(value: object, tag: string): boolean {
  const [, space = "", name = ""] = matchOf(OF_INTL, tag) ?? [];
  const held: unknown = space === "" ? undefined : Reflect.get(globalScope, space);
  const Class = (held as Record<string, { prototype?: object }> | undefined)?.[name];
  const { prototype } = Class ?? {};
  if (prototype === undefined) return false;
  const method =
    getOwnPropertyDescriptor(prototype, "resolvedOptions") ?? getOwnPropertyDescriptor(prototype, "toString");
  return isA((one) => apply(method?.value as () => unknown, one, []), value);
}

/** Whether a member of the class that reads an internal slot does so of this object. */
function reads(name: Parameters<typeof makeGlobal>[0], member: string, value: object): boolean {
  const { prototype } = makeGlobal(name) as { prototype: object };
  const found = getOwnPropertyDescriptor(prototype, member);
  return isA((one) => apply((found?.get ?? found?.value) as () => unknown, one, ["x"]), value);
}
