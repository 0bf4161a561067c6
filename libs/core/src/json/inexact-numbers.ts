/** Digits that a number in JavaScript keeps of any decimal fraction that it prints. */
const DIGITS_KEPT = 17;

/** A number that may not be kept, wherever it stands: of most texts this one look says that they have none. */
const SUSPICION = /\d[\d.]{15}|\de-\d{3}/i;

const PARTS = /^-?(\d+)(?:\.(\d+))?([eE][+-]?\d+)?$/;

/** A shorter number is kept, unless its exponent makes nothing of it. */
const CHARS_SAFE = 15;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPENING = { array: 91, object: 123 };
const CLOSING = { array: 93, object: 125 };

/** A longer name is none that a zone begins with. */
const ZONE_NAME_CHARS_MAX = 32;

/**
 * Whether JavaScript reads the JSON number as another one: an integer beyond 2^53 - 1, or a number with more digits than
 * it keeps, which may be 17.
 */
export function isInexact(source: string): boolean {
  const parts = PARTS.exec(source);
  if (!parts) return false;
  const [, whole = "", fraction = "", exponent] = parts;
  const read = Number(source);
  if (fraction === "" && exponent === undefined) return Math.abs(read) > Number.MAX_SAFE_INTEGER;
  // As JavaScript writes it itself.
  if (String(read) === source) return false;
  const digits = significant(whole + fraction);
  const count = Math.min(digits.length, DIGITS_KEPT);
  if (count === 0) return false;
  const kept = read.toPrecision(count);
  return significant(kept.replace(/e.*$/, "").replace(/[-.]/g, "")) !== rounded(digits);
}

/** The digits without the zeros at both ends; linear whatever is between. */
function significant(digits: string): string {
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === "0") start += 1;
  while (end > start && digits[end - 1] === "0") end -= 1;
  return digits.slice(start, end);
}

function rounded(digits: string): string {
  if (digits.length <= DIGITS_KEPT) return digits;
  const kept = BigInt(digits.slice(0, DIGITS_KEPT));
  return significant(String((digits[DIGITS_KEPT] ?? "0") >= "5" ? kept + 1n : kept));
}

/** A container that is open at the reader's position, and the reader's state in it. */
interface Open<Zone> {
  isArray: boolean;
  zone: Zone;
  /** The index within an array. */
  index: number;
  /** The last name within an object, as the position of its quotes. */
  nameStart: number;
  nameEnd: number;
  isName: boolean;
}

/** The position of a number. */
export interface InexactPlace<Zone> {
  zone: Zone;
  /** The place in the array so many levels below the root; null where that is no array. */
  indexAt(level: number): number | null;
  /** The name in the object there, as it was written; empty for a long one, null where that is no object. */
  nameAt(level: number): string | null;
  readonly path: () => string[];
}

/**
 * Reports each number of a valid JSON text that JavaScript doesn't keep, in the order of the text, until `onFound` answers
 * false. `zoneOf` classifies the value of a name. One look if there can be none, else one pass, without recursion.
 */
export function eachInexact<Zone>(
  json: string,
  root: Zone,
  zoneOf: (zone: Zone, name: string) => Zone,
  onFound: (place: InexactPlace<Zone>) => boolean,
): void {
  if (!SUSPICION.test(json)) return;
  const open: Open<Zone>[] = [];
  let zone = root;
  for (let at = 0; at < json.length; at += 1) {
    const unit = json.charCodeAt(at);
    const around = open.at(-1);
    if (unit === QUOTE) {
      const end = endOfString(json, at);
      if (around?.isName) {
        around.nameStart = at;
        around.nameEnd = end + 1;
        around.isName = false;
        zone = zoneOf(around.zone, shortName(json, at, end));
      }
      at = end;
    } else if (unit === OPENING.array || unit === OPENING.object) {
      const isArray = unit === OPENING.array;
      open.push({ isArray, zone, index: 0, nameStart: 0, nameEnd: 0, isName: !isArray });
    } else if (unit === CLOSING.array || unit === CLOSING.object) {
      open.pop();
    } else if (unit === COMMA && around) {
      around.index += 1;
      around.isName = !around.isArray;
      zone = around.zone;
    } else if (unit === 45 || (unit >= 48 && unit <= 57)) {
      const end = endOfNumber(json, at);
      if (
        isSuspicious(json, at, end) &&
        isInexact(json.slice(at, end)) &&
        !onFound(placeIn(json, open, zone))
      )
        return;
      at = end - 1;
    }
  }
}

const shortName = (json: string, start: number, end: number): string =>
  end - start <= ZONE_NAME_CHARS_MAX ? json.slice(start + 1, end) : "";

/** The position after its last digit: a number consists of digits, points, signs and exponents. */
function endOfNumber(json: string, start: number): number {
  let end = start + 1;
  for (; end < json.length; end += 1) {
    const unit = json.charCodeAt(end);
    if (!(unit >= 48 && unit <= 57) && !(unit >= 43 && unit <= 46 && unit !== COMMA) && (unit | 32) !== 101)
      break;
  }
  return end;
}

/** Whether it has many digits, or an exponent with which it may be read as zero. */
function isSuspicious(json: string, start: number, end: number): boolean {
  if (end - start > CHARS_SAFE) return true;
  for (let at = start; at < end - 4; at += 1)
    if ((json.charCodeAt(at) | 32) === 101) return json.charCodeAt(at + 1) === 45;
  return false;
}

/** The position of the quote that ends it. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, start, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, start: number, at: number): boolean {
  let backslashes = 0;
  while (at - 1 - backslashes > start && json.charCodeAt(at - 1 - backslashes) === BACKSLASH)
    backslashes += 1;
  return backslashes % 2 === 1;
}

function placeIn<Zone>(json: string, open: readonly Open<Zone>[], zone: Zone): InexactPlace<Zone> {
  return {
    zone,
    indexAt: (level) => (open[level]?.isArray ? open[level].index : null),
    nameAt: (level) => {
      const at = open[level];
      return at && !at.isArray ? shortName(json, at.nameStart, at.nameEnd - 1) : null;
    },
    path: () =>
      open.map(({ isArray, index, nameStart, nameEnd }) =>
        isArray ? String(index) : (JSON.parse(json.slice(nameStart, nameEnd)) as string),
      ),
  };
}

/** Advice for a number that would be rounded. */
export const INEXACT_ADVICE =
  "is a number that would be rounded: send an integer beyond 9007199254740991, or a number with more than 17 digits, as a string";
