/** Up to here a number times a power of ten, rounded, is exactly the integer that its digits are. */
const SCALED_MAX = 1e15;
/** Powers of ten up to this one are exact as numbers. */
const EXACT_POWER_MAX = 22;

/** `digits` times ten to the `exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

/**
 * Makes a test whether numbers are whole multiples of `step` (above zero), each read as the decimal that it is written as:
 * 19.99 is a multiple of 0.01, though the binary fractions nearest to them are not. Integers beyond 2⁵³, which may have
 * been written with more digits, are also tested as the integers that they are. Infinity, as JSON's 1e400 is read, is no
 * multiple.
 */
export function multiplesOf(step: number): (value: number) => boolean {
  const decimal = decimalOf(step);
  const places = Math.max(0, -decimal.exponent);
  const isLargeMultiple = (value: number): boolean =>
    Number.isFinite(value) && (isMultiple(value, decimal) || isExactMultiple(value, step));
  if (places > EXACT_POWER_MAX) return isLargeMultiple;
  const power = 10 ** places;
  const scaledStep = Math.round(step * power);
  return (value) => {
    const scaled = Math.round(value * power);
    if (scaledStep >= SCALED_MAX || Math.abs(scaled) >= SCALED_MAX) return isLargeMultiple(value);
    // A value with more places than the step is none.
    return scaled / power === value && scaled % scaledStep === 0;
  };
}

/** The first multiple of `step` (above zero) at or above `value`, or at or below it; where none is finite, the last number. */
export function multipleNear(value: number, step: number, side: "above" | "below"): number {
  const bounded = (number: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number));
  if (!Number.isFinite(value) || !Number.isFinite(step)) return bounded(value);
  const [digits, stepDigits, exponent] = aligned(decimalOf(value), decimalOf(step));
  const rest = ((digits % stepDigits) + stepDigits) % stepDigits;
  const below = digits - rest;
  return bounded(Number(`${side === "below" || rest === 0n ? below : below + stepDigits}e${exponent}`));
}

const isExactMultiple = (value: number, step: number): boolean =>
  Number.isInteger(step) &&
  Number.isInteger(value) &&
  Math.abs(value) > Number.MAX_SAFE_INTEGER &&
  BigInt(value) % BigInt(step) === 0n;

function isMultiple(value: number, step: Decimal): boolean {
  const [digits, stepDigits] = aligned(decimalOf(value), step);
  return digits % stepDigits === 0n;
}

/** The shortest decimal that stands for the number. */
function decimalOf(value: number): Decimal {
  const [mantissa = "", power] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** The digits of both at the smaller of their exponents, and that. */
function aligned(one: Decimal, other: Decimal): [bigint, bigint, number] {
  const exponent = Math.min(one.exponent, other.exponent);
  const at = ({ digits, exponent: own }: Decimal): bigint => digits * 10n ** BigInt(own - exponent);
  return [at(one), at(other), exponent];
}
