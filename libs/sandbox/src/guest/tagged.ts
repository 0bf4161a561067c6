import { defineProperty } from "./primordials.ts";

/** The same object, which prints as `[object Tag]`; JSON and a look at its fields don't see that. */
export function tagged<T extends object>(tag: string, object: T): T {
  defineProperty(object, Symbol.toStringTag, {
    value: tag,
    writable: false,
    configurable: true,
    enumerable: false,
  });
  return object;
}
