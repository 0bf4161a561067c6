import { webInterface } from "./web-interface.ts";
import { dictionary } from "./dictionary.ts";
import { dateNow, toNumber, toText } from "./primordials.ts";
import { lazily } from "./lazily.ts";
import { bytesOf, decodeUtf8, encodeUtf8 } from "./utf8.ts";
import { requireArguments } from "./require-arguments.ts";

declare const require: (path: string) => unknown;

const streams = lazily(() => require("./streams.ts") as typeof import("./streams.ts"));

interface BlobOptions {
  type?: unknown;
  endings?: unknown;
}

let bytesIn: (blob: Blob) => Uint8Array<ArrayBuffer>;

/** Bytes with a type. */
export class Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #type: string;

  static {
    webInterface(this, "Blob");
    bytesIn = (blob) => blob.#bytes;
  }

  constructor(parts: Iterable<unknown> = [], options?: BlobOptions | null) {
    if (typeof parts !== "object" || parts === null) throw new TypeError("a Blob's parts must be a list");
    const { endings = "transparent", type: given = "" } = dictionary(options);
    if (endings !== "transparent" && endings !== "native")
      throw new TypeError("a Blob's endings must be transparent or native");
    this.#bytes = joinBytes([...parts].map((part) => partBytes(part, endings === "native")));
    const type = toText(given);
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
      type: "bytes",
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
  static {
    webInterface(this, "File");
  }

  readonly #name: string;
  readonly #lastModified: number;

  constructor(
    parts: Iterable<unknown>,
    name: unknown,
    options?: (BlobOptions & { lastModified?: unknown }) | null,
  ) {
    requireArguments("new File", 2, arguments.length);
    super(parts, options);
    this.#name = toText(name).toWellFormed();
    const { lastModified } = dictionary(options);
    this.#lastModified = lastModified === undefined ? dateNow() : toNumber(lastModified);
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

/** Not a copy: for reading only. */
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

/** Native line ends are line feeds here; only texts have some. */
function partBytes(part: unknown, nativeEnds: boolean): Uint8Array {
  const bytes = part instanceof Blob ? bytesIn(part) : bytesOf(part);
  if (bytes !== null) return bytes;
  const text = toText(part);
  return encodeUtf8(nativeEnds ? text.replace(/\r\n?/g, "\n") : text);
}
