import type { TransformStream as Transform } from "web-streams-polyfill";
import { toText } from "./primordials.ts";
import { TransformStream } from "./streams.ts";
import { TextDecoder } from "./text-coding.ts";
import { bytesOf, encodeUtf8 } from "./utf8.ts";
import { webInterface } from "./web-interface.ts";

/** Text as it comes in bytes of any encoding. */
export class TextDecoderStream {
  static {
    webInterface(this, "TextDecoderStream");
  }

  readonly #decoder: TextDecoder;
  readonly #transform: Transform<unknown, string>;

  constructor(label: unknown = "utf-8", options?: { fatal?: unknown; ignoreBOM?: unknown } | null) {
    const decoder = new TextDecoder(label, options);
    this.#decoder = decoder;
    this.#transform = new TransformStream<unknown, string>({
      transform(chunk, controller) {
        if (bytesOf(chunk) === null) throw new TypeError("a chunk must be a buffer or a view");
        const text = decoder.decode(chunk, { stream: true });
        if (text !== "") controller.enqueue(text);
      },
      flush(controller) {
        const text = decoder.decode();
        if (text !== "") controller.enqueue(text);
      },
    });
  }

  get encoding(): string {
    return this.#decoder.encoding;
  }
  get fatal(): boolean {
    return this.#decoder.fatal;
  }
  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM;
  }
  get readable(): unknown {
    return this.#transform.readable;
  }
  get writable(): unknown {
    return this.#transform.writable;
  }
  get [Symbol.toStringTag](): string {
    return "TextDecoderStream";
  }
}

const HIGH_AT_END = /[\ud800-\udbff]$/;

/** Encodes a text in pieces as UTF-8; a pair of surrogates may be split between pieces. */
export class TextEncoderStream {
  static {
    webInterface(this, "TextEncoderStream");
  }

  readonly #transform: Transform<unknown, Uint8Array>;

  constructor() {
    let held = "";
    this.#transform = new TransformStream<unknown, Uint8Array>({
      transform(chunk, controller) {
        const text = held + toText(chunk);
        held = HIGH_AT_END.exec(text)?.[0] ?? "";
        const whole = held === "" ? text : text.slice(0, -1);
        if (whole !== "") controller.enqueue(encodeUtf8(whole));
      },
      flush(controller) {
        if (held !== "") controller.enqueue(encodeUtf8(held));
      },
    });
  }

  get encoding(): string {
    return "utf-8";
  }
  get readable(): unknown {
    return this.#transform.readable;
  }
  get writable(): unknown {
    return this.#transform.writable;
  }
  get [Symbol.toStringTag](): string {
    return "TextEncoderStream";
  }
}
