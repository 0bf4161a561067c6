import { head, spend } from "./budget.ts";
import { matchOf, parseJson, slice, toNumber, toText } from "./primordials.ts";

/** How numbers that JavaScript would round are read: as numbers all the same, or as their text. */
export type BigNumbers = "number" | "string";

/** A number of many digits. One in quotes stands behind its quote, so ids that are texts cost nothing. */
const LONG = /(?:^|[[:,\s])(-?\d[\d.]{15,}(?:[eE][+-]?\d+)?)/g;
const PARTS = /^-?(\d+)(?:\.(\d+))?([eE][+-]?\d+)?$/;
const SAFE_MAX = 9_007_199_254_740_991;
/** Digits that a double keeps of any decimal fraction that it prints. */
const DIGITS_KEPT = 17;
const NAME_CHARS_MAX = 60;

/** Throws a TypeError for any other value; undefined is the default. */
export function takeBigNumbers(what: string, value: unknown): BigNumbers {
  if (value === undefined || value === "number") return "number";
  if (value === "string") return value;
  throw new TypeError(`${what}: bigNumbers is "number" or "string"`);
}

let isTold = false;

/**
 * Reads JSON from outside. The first rounded number of a run gets a warning in the log, unless it was asked for as a
 * string.
 */
export function readJson(text: string, bigNumbers: BigNumbers): unknown {
  if ((bigNumbers === "number" && isTold) || !mayHoldInexact(text)) return parseJson(text);
  let name: string | null = null;
  let value: unknown;
  try {
    value = parseJson(text, (key: string, read: unknown, { source = "" }: { source?: string } = {}) => {
      if (typeof read !== "number" || !isInexact(source)) return read;
      name ??= key;
      return bigNumbers === "string" ? source : read;
    });
  } catch (error) {
    // Deeper than a look at each number can go: as without that look, unless it was asked for.
    if (bigNumbers === "string" || !(error instanceof RangeError)) throw error;
    return parseJson(text);
  }
  if (name !== null && bigNumbers === "number") {
    isTold = true;
    const shown = head(name, NAME_CHARS_MAX);
    const line = `JSON that was read has a number, "${shown}", with more digits than JavaScript keeps: it was rounded. Read it with { bigNumbers: "string" } to have such numbers as strings.`;
    spend("log", line, "warn");
  }
  return value;
}

/** The name of the first number in JSON of the tool's own that is beyond the integers that JavaScript keeps; null where there is none. */
export function inexactName(json: string): string | null {
  let name: string | null = null;
  parseJson(json, (key: string, read: unknown, { source = "" }: { source?: string } = {}) => {
    if (typeof read === "number" && isInexact(source)) name ??= key;
    return read;
  });
  return name;
}

/** Checks every long number, and everything in a text that looks like one. */
function mayHoldInexact(text: string): boolean {
  LONG.lastIndex = 0;
  for (let found = matchOf(LONG, text); found !== null; found = matchOf(LONG, text))
    if (isInexact(found[1] as string)) return true;
  return false;
}

/** The platform's rule for arguments (`isInexact` of the core), which a test holds this to. */
export function isInexact(source: string): boolean {
  const parts = matchOf(PARTS, source);
  if (parts === null) return false;
  const fraction = parts[2] ?? "";
  const read = toNumber(source);
  if (fraction === "" && parts[3] === undefined) return read > SAFE_MAX || read < -SAFE_MAX;
  if (toText(read) === source) return false;
  const digits = significant(`${parts[1] as string}${fraction}`);
  const count = digits.length < DIGITS_KEPT ? digits.length : DIGITS_KEPT;
  if (count === 0) return false;
  const kept = read.toPrecision(count).replace(/e.*$/, "").replace(/[-.]/g, "");
  return significant(kept) !== rounded(digits);
}

function significant(digits: string): string {
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start++;
  while (end > start && digits[end - 1] === "0") end--;
  return slice(digits, start, end);
}

function rounded(digits: string): string {
  if (digits.length <= DIGITS_KEPT) return digits;
  const kept = BigInt(slice(digits, 0, DIGITS_KEPT));
  return significant(toText((digits[DIGITS_KEPT] as string) >= "5" ? kept + 1n : kept));
}
