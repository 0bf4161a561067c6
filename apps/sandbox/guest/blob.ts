import { nameClass } from "./name-class.ts";
import { toNumber, toText } from "./primordials.ts";
import { lazily } from "./lazily.ts";
import { bytesOf, decodeUtf8, encodeUtf8 } from "./utf8.ts";

declare const require: (path: string) => unknown;

const streams = lazily(() => require("./readable-stream.ts") as typeof import("./readable-stream.ts"));

let bytesIn: (blob: Blob) => Uint8Array<ArrayBuffer>;

/** Bytes with a type. */
export class Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #type: string;

  static {
    nameClass(this, "Blob");
    bytesIn = (blob) => blob.#bytes;
  }

  constructor(parts: Iterable<unknown> = [], options: { type?: unknown } = {}) {
    if (typeof parts !== "object" || parts === null) throw new TypeError("a Blob's parts must be a list");
    this.#bytes = joinBytes([...parts].map(partBytes));
    const type = toText(options.type ?? "");
    this.#type = /^[\x20-\x7e]*$/.test(type) ? type.toLowerCase() : "";
  }

  get size(): number {
    return this.#bytes.length;
  }
  get type(): string {
    return this.#type;
  }
  slice(start: unknown = 0, end: unknown = this.size, type: unknown = ""): Blob {
    return new Blob([this.#bytes.subarray(toNumber(start), toNumber(end))], { type });
  }
  async text(): Promise<string> {
    return decodeUtf8(this.#bytes, false);
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes.slice().buffer;
  }
  async bytes(): Promise<Uint8Array> {
    return this.#bytes.slice();
  }
  stream(): unknown {
    const bytes = this.#bytes;
    const { ReadableStream } = streams();
    return new ReadableStream({
      start: (controller) => {
        if (bytes.length > 0) controller.enqueue(bytes.slice());
        controller.close();
      },
    });
  }
  get [Symbol.toStringTag](): string {
    return "Blob";
  }
}

export class File extends Blob {
  readonly #name: string;
  readonly #lastModified: number;

  constructor(
    parts: Iterable<unknown>,
    name: unknown,
    options: { type?: unknown; lastModified?: unknown } = {},
  ) {
    super(parts, options);
    this.#name = toText(name).toWellFormed();
    this.#lastModified = options.lastModified === undefined ? Date.now() : toNumber(options.lastModified);
  }

  get name(): string {
    return this.#name;
  }
  get lastModified(): number {
    return this.#lastModified;
  }
  override get [Symbol.toStringTag](): string {
    return "File";
  }
}

/** Not copied: for reading only. */
export const blobBytes = (blob: Blob): Uint8Array<ArrayBuffer> => bytesIn(blob);

/** All of them, one after the other, in a buffer of its own. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const partBytes = (part: unknown): Uint8Array =>
  part instanceof Blob ? bytesIn(part) : (bytesOf(part) ?? encodeUtf8(toText(part)));
