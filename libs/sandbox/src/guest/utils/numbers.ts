import { LIST_ITEMS_MAX, outOfRange, takeInteger, takeList, takeNumber, wrongKind } from "./arguments.ts";
import { randomBelow } from "./randomness.ts";

const DECIMALS_MAX = 100;

/** The nearest number from `min` to `max`. Throws where `min` is above `max`. */
export function clamp(value: number, min: number, max: number): number {
  const number = takeNumber("clamp", "value", value);
  const low = takeNumber("clamp", "min", min);
  const high = takeNumber("clamp", "max", max);
  if (low > high) throw outOfRange("clamp", "min must not be above max");
  return Math.min(Math.max(number, low), high);
}

/**
 * Rounded as on paper, from the digits that the number is written with, halves away from zero: 1.005 to two
 * decimals is 1.01. Negative decimals round tens, hundreds and so on; the result is never -0.
 */
export function round(value: number, decimals = 2): number {
  const number = takeNumber("round", "value", value);
  const places = takeInteger("round", "decimals", decimals, -DECIMALS_MAX, DECIMALS_MAX);
  const shifted = shift(Math.abs(number), places);
  // Too large to have such decimals.
  if (!Number.isFinite(shifted)) return number;
  const rounded = shift(Math.round(shifted), -places);
  return number < 0 && rounded !== 0 ? -rounded : rounded;
}

/** Times a power of ten, by the decimal point, so that no digit changes. */
function shift(value: number, places: number): number {
  if (!Number.isFinite(value)) return value;
  const [digits, exponent = "0"] = `${value}`.split("e");
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** A whole number from `min` to `max`, both included, each equally likely. */
export function randomInt(min = 0, max = 100): number {
  const low = takeInteger("randomInt", "min", min, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const high = takeInteger("randomInt", "max", max, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  if (low > high) throw outOfRange("randomInt", `min (${low}) must not be above max (${high})`);
  if (high - low > Number.MAX_SAFE_INTEGER)
    throw outOfRange("randomInt", "max is more than 2^53 - 1 above min");
  return low + randomBelow(high - low + 1);
}

/** Every item must be a number, NaN is none; 0 for no items. Small parts are not lost beside large ones (Neumaier). */
export const sum = (numbers: number[]): number => {
  const { total, scale } = totalOf("sum", numbers);
  return total / scale;
};

/** The sum divided by how many there are, finite where all of them are; 0 for no items. */
export const avg = (numbers: number[]): number => {
  const { total, scale } = totalOf("avg", numbers);
  return numbers.length === 0 ? 0 : total / numbers.length / scale;
};

/** Scaled by it, the largest numbers of a longest list have a finite sum. */
const SMALL = 2 ** -Math.ceil(Math.log2(LIST_ITEMS_MAX));

/** The sum times `scale`, which is 1 unless the plain sum is too large on the way. */
function totalOf(fn: string, numbers: unknown): { total: number; scale: number } {
  const items = takeList<unknown>(fn, "numbers", numbers);
  const total = addUp(fn, items, 1);
  return Number.isFinite(total) ? { total, scale: 1 } : { total: addUp(fn, items, SMALL), scale: SMALL };
}

function addUp(fn: string, items: unknown[], scale: number): number {
  let plain = 0;
  let lost = 0;
  for (let i = 0; i < items.length; i++) {
    const given = items[i];
    if (typeof given !== "number" || Number.isNaN(given))
      throw wrongKind(fn, `numbers[${i}] must be a number`);
    const item = given * scale;
    const next = plain + item;
    lost += Math.abs(plain) >= Math.abs(item) ? plain - next + item : item - next + plain;
    plain = next;
  }
  return Number.isFinite(plain) ? plain + lost : plain;
}
