import { findCoding } from "./codings.ts";
import type { Coding } from "./remote-coding.ts";
import { dictionary } from "./dictionary.ts";
import { toText } from "./primordials.ts";
import { bytesOf, encodeUtf8 } from "./utf8.ts";
import { webInterface } from "./web-interface.ts";

export class TextEncoder {
  static {
    webInterface(this, "TextEncoder");
  }

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

/** Text in any encoding that the web knows, whole or as a stream. */
export class TextDecoder {
  static {
    webInterface(this, "TextDecoder");
  }

  readonly #encoding: string;
  readonly #fatal: boolean;
  readonly #ignoreBOM: boolean;
  readonly #coding: Coding;
  /** A byte order mark may still come. */
  #isAtStart = true;

  constructor(label: unknown = "utf-8", options?: DecoderOptions | null) {
    const { encoding, coding } = findCoding(label);
    const { fatal, ignoreBOM } = dictionary(options);
    this.#encoding = encoding;
    this.#coding = coding;
    this.#fatal = Boolean(fatal);
    this.#ignoreBOM = Boolean(ignoreBOM);
  }

  get encoding(): string {
    return this.#encoding;
  }
  get fatal(): boolean {
    return this.#fatal;
  }
  get ignoreBOM(): boolean {
    return this.#ignoreBOM;
  }
  decode(input?: unknown, options?: { stream?: unknown } | null): string {
    const goesOn = Boolean(dictionary(options).stream);
    const bytes = input === undefined ? new Uint8Array() : bytesOf(input);
    if (bytes === null) throw new TypeError("TextDecoder.decode needs a buffer or a view");
    try {
      return this.#withoutMark(this.#coding.decode(bytes, this.#fatal, goesOn));
    } finally {
      if (!goesOn) this.#isAtStart = true;
    }
  }

  #withoutMark(text: string): string {
    const isFirst = this.#isAtStart && text !== "";
    if (isFirst) this.#isAtStart = false;
    return isFirst && !this.#ignoreBOM && text[0] === "\ufeff" && this.#encoding.startsWith("utf-")
      ? text.slice(1)
      : text;
  }

  get [Symbol.toStringTag](): string {
    return "TextDecoder";
  }
}
