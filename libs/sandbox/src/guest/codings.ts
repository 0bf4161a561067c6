import type { Coding } from "./remote-coding.ts";
import { ask } from "./bridge.ts";
import { fromCharCodes, matchOf, toLowerCase, toText } from "./primordials.ts";
import { RemoteCoding } from "./remote-coding.ts";
import { decodeUtf8, lastWholeUtf8 } from "./utf8.ts";

/** A coding of the guest's own, given its function for whole bytes. */
class OwnCoding implements Coding {
  readonly #decode: (bytes: Uint8Array, fatal: boolean) => string;
  readonly #whole: (bytes: Uint8Array) => number;
  #held = new Uint8Array();

  /** `whole` says where those begin that need more to follow. */
  constructor(decode: (bytes: Uint8Array, fatal: boolean) => string, whole: (bytes: Uint8Array) => number) {
    this.#decode = decode;
    this.#whole = whole;
  }

  decode(given: Uint8Array, fatal: boolean, goesOn: boolean): string {
    const bytes = this.#afterHeld(given);
    const end = goesOn ? this.#whole(bytes) : bytes.length;
    this.#held = new Uint8Array();
    const text = this.#decode(bytes.subarray(0, end), fatal);
    this.#held = bytes.slice(end);
    return text;
  }

  #afterHeld(given: Uint8Array): Uint8Array {
    if (this.#held.length === 0) return given;
    const bytes = new Uint8Array(this.#held.length + given.length);
    bytes.set(this.#held);
    bytes.set(given, this.#held.length);
    return bytes;
  }
}

const utf16 = (high: 0 | 1): Coding =>
  new OwnCoding(
    (bytes, fatal) => {
      let text = "";
      for (let i = 0; i + 1 < bytes.length; i += 2)
        text += fromCharCodes(((bytes[i + 1 - high] as number) << 8) | (bytes[i + high] as number));
      // Half a unit is no character; behind half a pair it belongs to that.
      if (bytes.length % 2 > 0 && matchOf(HALF_PAIR_AT_END, text) === null) text += "\ud800";
      if (fatal && !text.isWellFormed()) throw new TypeError("The encoded data was not valid UTF-16");
      return text.toWellFormed();
    },
    (bytes) => {
      const even = bytes.length - (bytes.length % 2);
      const last = even >= 2 ? (bytes[even - 1 - high] as number) : 0;
      return last >= 0xd8 && last <= 0xdb ? even - 2 : even;
    },
  );

const HALF_PAIR_AT_END = /[\ud800-\udbff]$/;

/** U+0080 to U+009F, where windows-1252 has letters of its own. */
const WINDOWS_1252 =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

function decodeWindows1252(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    text += byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252[byte - 0x80] : fromCharCodes(byte);
  }
  return text;
}

/** The coding of the standard's name. */
export function codingOf(encoding: string): Coding {
  switch (encoding) {
    case "utf-8":
      return new OwnCoding((bytes, fatal) => decodeUtf8(bytes, fatal, true), lastWholeUtf8);
    case "utf-16le":
      return utf16(0);
    case "utf-16be":
      return utf16(1);
    case "windows-1252":
      return new OwnCoding(decodeWindows1252, (bytes) => bytes.length);
    default:
      return new RemoteCoding(encoding);
  }
}

/** The standard's blanks, which are fewer than the language's. */
const LABEL = /^[\t\n\f\r ]*([^\t\n\f\r ]*)[\t\n\f\r ]*$/;
const LABEL_CHARS_MAX = 64;
/** The usual label; Node decides on all others. */
const OWN_LABEL = /^utf-?8$/;

/** The standard's name of the encoding that goes by this label, in any case and with blanks around it; null for none. */
export function encodingOf(label: unknown): string | null {
  const name = toLowerCase(matchOf(LABEL, toText(label))?.[1] ?? "");
  if (matchOf(OWN_LABEL, name) !== null) return "utf-8";
  if (name === "" || name.length > LABEL_CHARS_MAX) return null;
  const known = ask("text.encoding", name, "");
  return known === "null" ? null : known;
}

/** Throws a RangeError for a label that no encoding goes by. */
export function findCoding(label: unknown): { encoding: string; coding: Coding } {
  const encoding = encodingOf(label);
  if (encoding === null)
    throw new RangeError(`the encoding ${toText(label).slice(0, LABEL_CHARS_MAX)} is not supported`);
  return { encoding, coding: codingOf(encoding) };
}
