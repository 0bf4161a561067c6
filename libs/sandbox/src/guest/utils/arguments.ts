import { isArray, isInteger, isNaNumber, join, toLowerCase } from "../primordials.ts";

/**
 * Every function of `utils` treats its arguments alike. A text may be a number, a bigint or a boolean, which have one
 * obvious spelling; everything else must match the signature, and the error names function and argument. The wrong kind of
 * value is a TypeError, the wrong size a RangeError.
 */

/** Longer texts are refused, before one of their many copies meets the memory limit without a word. */
export const TEXT_CHARS_MAX = 16_777_216;
/** Longer lists are refused, sparse ones of a few bytes among them. */
export const LIST_ITEMS_MAX = 10_000_000;

export const wrongKind = (fn: string, message: string): TypeError => new TypeError(`utils.${fn}: ${message}`);
export const outOfRange = (fn: string, message: string): RangeError =>
  new RangeError(`utils.${fn}: ${message}`);

/** A text; numbers, bigints and booleans as they are written. */
export function takeText(fn: string, name: string, value: unknown): string {
  if (typeof value === "string") {
    if (value.length > TEXT_CHARS_MAX)
      throw outOfRange(fn, `${name} is longer than ${TEXT_CHARS_MAX} characters`);
    return value;
  }
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return `${value}`;
  throw wrongKind(fn, `${name} must be a string`);
}

/** A number, infinite ones included; NaN is none. */
export function takeNumber(fn: string, name: string, value: unknown): number {
  if (typeof value !== "number" || isNaNumber(value)) throw wrongKind(fn, `${name} must be a number`);
  return value;
}

/** A whole number from `min` to `max`. */
export function takeInteger(fn: string, name: string, value: unknown, min: number, max: number): number {
  const number = takeNumber(fn, name, value);
  if (!isInteger(number) || number < min || number > max)
    throw outOfRange(fn, `${name} must be a whole number from ${min} to ${max}`);
  return number;
}

/** An array, as it is; its items are the caller's to check. */
export function takeList<T>(fn: string, name: string, value: unknown): T[] {
  if (!isArray(value)) throw wrongKind(fn, `${name} must be an array`);
  if (value.length > LIST_ITEMS_MAX) throw outOfRange(fn, `${name} has more than ${LIST_ITEMS_MAX} items`);
  return value as T[];
}

/** One of a closed list of names, in any case; the error lists them. */
export function takeName<N extends string>(
  fn: string,
  name: string,
  value: unknown,
  allowed: readonly N[],
): N {
  const given = toLowerCase(takeText(fn, name, value));
  for (let i = 0; i < allowed.length; i++) if (allowed[i] === given) return allowed[i] as N;
  throw outOfRange(fn, `${name} must be one of ${join(allowed, ", ")}`);
}
