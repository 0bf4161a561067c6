import { toLatin1 } from "./encodings.ts";
import { codesOf, ESCAPE_CHARS_MAX, isEscapeStart } from "./escapes.ts";

/** A chunk of text, or of bytes, which are read as Latin-1. */
export type Piece = string | Buffer;

export const codeOf = (piece: Piece, at: number): number =>
  typeof piece === "string" ? piece.charCodeAt(at) : piece[at]!;

/** Two of a kind. */
export const joinPieces = (first: Piece, second: Piece): Piece =>
  typeof first === "string" ? `${first}${String(second)}` : Buffer.concat([first, second as Buffer]);

/** As much from here on as an escape may take. */
export const windowOf = (piece: Piece, at: number): string =>
  typeof piece === "string"
    ? piece.slice(at, at + ESCAPE_CHARS_MAX)
    : piece.toString("latin1", at, at + ESCAPE_CHARS_MAX);

export const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const HEX_DIGITS = new Int8Array(0x80).fill(-1);
for (const digit of "0123456789abcdefABCDEF") HEX_DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

/** How long `\uXXXX` is. */
export const UNIT_CHARS = 6;

/** The code unit of a `\uXXXX` here if it stands alone: no half of a pair, and no beginning of another escape; else -1. */
export function unitAt(piece: Piece, at: number): number {
  if (piece.length - at < UNIT_CHARS || codeOf(piece, at) !== BACKSLASH || codeOf(piece, at + 1) !== LETTER_U)
    return -1;
  let unit = 0;
  for (let i = at + 2; i < at + UNIT_CHARS; i++) {
    const code = codeOf(piece, i);
    const digit = code < 0x80 ? HEX_DIGITS[code]! : -1;
    if (digit < 0) return -1;
    unit = unit * 16 + digit;
  }
  return isEscapeStart(unit) || (unit >= 0xd800 && unit < 0xe000) ? -1 : unit;
}

/** Serializers that run twice write 16 backslashes as so many characters. */
const RUN_CHARS_MAX = 64;

/**
 * Whether an escape may begin here, right behind so many backslashes: any of a run, but of a longer one than serializers
 * make only its first ones and the last three.
 */
export const mayBeginInRun = (piece: Piece, at: number, backslashes: number): boolean =>
  backslashes < RUN_CHARS_MAX ||
  piece.length - at <= 3 ||
  codeOf(piece, at) !== BACKSLASH ||
  codeOf(piece, at + 1) !== BACKSLASH ||
  codeOf(piece, at + 2) !== BACKSLASH ||
  codeOf(piece, at + 3) !== BACKSLASH;

const LATIN = Array.from({ length: 0x100 }, (_, code): readonly number[] => [code]);

/** A letter in the codes of such a piece. */
export function spellCode(piece: Piece, code: number): readonly number[] {
  if (code < (typeof piece === "string" ? 0x1_0000 : 0x80)) return LATIN[code] ?? [code];
  const letter = String.fromCodePoint(code);
  return codesOf(typeof piece === "string" ? letter : toLatin1(letter));
}

/** The possible starts of escapes, in order. */
export class EscapePlaces {
  readonly #piece: Piece;
  #backslash = -1;
  #ampersand = -1;

  constructor(piece: Piece) {
    this.#piece = piece;
  }

  /** The first at or behind this place, else the piece's end. */
  next(from: number): number {
    if (this.#backslash < from) this.#backslash = this.#find("\\", 0x5c, from);
    if (this.#ampersand < from) this.#ampersand = this.#find("&", 0x26, from);
    return Math.min(this.#backslash, this.#ampersand);
  }

  #find(letter: string, byte: number, from: number): number {
    const piece = this.#piece;
    const found = typeof piece === "string" ? piece.indexOf(letter, from) : piece.indexOf(byte, from);
    return found === -1 ? piece.length : found;
  }
}
