import { findCoding, type Coding } from "./codings.ts";
import { toText } from "./primordials.ts";
import { bytesOf, encodeUtf8 } from "./utf8.ts";

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
    const { encoding, coding } = findCoding(label);
    this.encoding = encoding;
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
