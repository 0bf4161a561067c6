import { fromCharCodes, toLowerCase, toText, trim } from "./primordials.ts";
import { bytesOf, decodeUtf8, encodeUtf8, lastWholeUtf8 } from "./utf8.ts";

/** Decodes a whole run of bytes and says how many at the end need more to follow. */
interface Coding {
  decode(bytes: Uint8Array, fatal: boolean): string;
  whole(bytes: Uint8Array): number;
}

const utf16 = (high: 0 | 1): Coding => ({
  decode: (bytes, fatal) => {
    let text = "";
    for (let i = 0; i + 1 < bytes.length; i += 2)
      text += fromCharCodes(((bytes[i + 1 - high] as number) << 8) | (bytes[i + high] as number));
    if (bytes.length % 2 > 0) text += "\ud800";
    if (fatal && !text.isWellFormed()) throw new TypeError("The encoded data was not valid UTF-16");
    return text.toWellFormed();
  },
  whole: (bytes) => {
    const even = bytes.length - (bytes.length % 2);
    const last = even >= 2 ? (bytes[even - 1 - high] as number) : 0;
    return last >= 0xd8 && last <= 0xdb ? even - 2 : even;
  },
});

/** U+0080 to U+009F, where windows-1252 has letters of its own. */
const WINDOWS_1252 =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

const CODINGS: Record<string, Coding> = {
  "utf-8": { decode: (bytes, fatal) => decodeUtf8(bytes, fatal, true), whole: lastWholeUtf8 },
  "utf-16le": utf16(0),
  "utf-16be": utf16(1),
  "windows-1252": {
    decode: (bytes) => {
      let text = "";
      for (let i = 0; i < bytes.length; i++) {
        const byte = bytes[i] as number;
        text += byte >= 0x80 && byte < 0xa0 ? WINDOWS_1252[byte - 0x80] : fromCharCodes(byte);
      }
      return text;
    },
    whole: (bytes) => bytes.length,
  },
};

/** Other names of the codings, from the encoding standard. */
const LABELS: Record<string, string> = {
  utf8: "utf-8",
  "unicode-1-1-utf-8": "utf-8",
  "utf-16": "utf-16le",
  unicode: "utf-16le",
  "ucs-2": "utf-16le",
  ascii: "windows-1252",
  "us-ascii": "windows-1252",
  latin1: "windows-1252",
  l1: "windows-1252",
  "iso-8859-1": "windows-1252",
  iso8859_1: "windows-1252",
  cp1252: "windows-1252",
  "x-cp1252": "windows-1252",
};

export class TextEncoder {
  get encoding(): string {
    return "utf-8";
  }
  encode(text: unknown = ""): Uint8Array {
    return encodeUtf8(toText(text));
  }
  /** Writes whole characters only. */
  encodeInto(text: unknown, target: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of toText(text)) {
      const bytes = encodeUtf8(character);
      if (written + bytes.length > target.length) break;
      target.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }
  get [Symbol.toStringTag](): string {
    return "TextEncoder";
  }
}

interface DecoderOptions {
  fatal?: unknown;
  ignoreBOM?: unknown;
}

/** UTF-8, UTF-16 and windows-1252 (which the web takes ASCII and Latin-1 for), whole or as a stream. */
export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  readonly #coding: Coding;
  #held = new Uint8Array();
  /** A byte order mark may still come. */
  #isAtStart = true;

  constructor(label: unknown = "utf-8", options: DecoderOptions = {}) {
    const name = toLowerCase(trim(toText(label)));
    this.encoding = Object.hasOwn(LABELS, name) ? (LABELS[name] as string) : name;
    const coding = Object.hasOwn(CODINGS, this.encoding) ? CODINGS[this.encoding] : undefined;
    if (!coding) throw new RangeError(`the encoding ${name.slice(0, 64)} is not supported`);
    this.#coding = coding;
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
  }

  decode(input?: unknown, { stream = false }: { stream?: unknown } = {}): string {
    const given = input === undefined ? new Uint8Array() : bytesOf(input);
    if (given === null) throw new TypeError("TextDecoder.decode needs a buffer or a view");
    const bytes = this.#afterHeld(given);
    const end = stream ? this.#coding.whole(bytes) : bytes.length;
    this.#held = bytes.slice(end);
    try {
      return this.#withoutMark(this.#coding.decode(bytes.subarray(0, end), this.fatal));
    } catch (error) {
      this.#held = new Uint8Array();
      throw error;
    } finally {
      if (!stream) this.#isAtStart = true;
    }
  }

  #afterHeld(given: Uint8Array): Uint8Array {
    if (this.#held.length === 0) return given;
    const bytes = new Uint8Array(this.#held.length + given.length);
    bytes.set(this.#held);
    bytes.set(given, this.#held.length);
    return bytes;
  }

  #withoutMark(text: string): string {
    const isFirst = this.#isAtStart && text !== "";
    if (isFirst) this.#isAtStart = false;
    return isFirst && !this.ignoreBOM && text[0] === "\ufeff" && this.encoding !== "windows-1252"
      ? text.slice(1)
      : text;
  }

  get [Symbol.toStringTag](): string {
    return "TextDecoder";
  }
}
