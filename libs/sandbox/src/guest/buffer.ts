import { decodeBase64, encodeBase64 } from "./base64.ts";
import { fromCharCodes } from "./primordials.ts";
import { bytesOf, decodeUtf8, encodeUtf8 } from "./utf8.ts";

/** How text and bytes become each other under one of Node's names. */
interface BufferCoding {
  read(text: string): Uint8Array;
  write(bytes: Uint8Array): string;
}

const HEX_PAIR = /^[0-9a-f]{2}$/i;

/** Up to the first pair that is none, as Node does. */
function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let at = 0; at < bytes.length; at++) {
    const pair = text.slice(at * 2, at * 2 + 2);
    if (!HEX_PAIR.test(pair)) return bytes.slice(0, at);
    bytes[at] = parseInt(pair, 16);
  }
  return bytes;
}

/** Both alphabets, up to the padding, and past everything that is in neither, as Node does. */
function fromBase64(text: string): Uint8Array {
  const digits = text
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/=.*/s, "")
    .replaceAll(/[^A-Za-z0-9+/]/g, "");
  return decodeBase64(digits.length % 4 === 1 ? digits.slice(0, -1) : digits) ?? new Uint8Array();
}

const toBase64Url = (bytes: Uint8Array): string =>
  encodeBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const units = (unitAt: (at: number) => number, count: number): string => {
  let text = "";
  for (let at = 0; at < count; at++) text += fromCharCodes(unitAt(at));
  return text;
};

const LATIN1: BufferCoding = {
  read: (text) => Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)),
  write: (bytes) => units((at) => bytes[at] as number, bytes.length),
};

const CODINGS: Record<string, BufferCoding> = {
  utf8: { read: encodeUtf8, write: (bytes) => decodeUtf8(bytes, false, true) },
  hex: {
    read: fromHex,
    write: (bytes) => {
      let text = "";
      for (let at = 0; at < bytes.length; at++) text += (bytes[at] as number).toString(16).padStart(2, "0");
      return text;
    },
  },
  base64: { read: fromBase64, write: encodeBase64 },
  base64url: { read: fromBase64, write: toBase64Url },
  latin1: LATIN1,
  ascii: {
    read: (text) => LATIN1.read(text),
    write: (bytes) => units((at) => (bytes[at] as number) & 127, bytes.length),
  },
  utf16le: {
    read: (text) =>
      new Uint8Array(Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).buffer),
    write: (bytes) =>
      units((at) => (bytes[2 * at] as number) | ((bytes[2 * at + 1] as number) << 8), bytes.length >> 1),
  },
};
const OTHER_NAMES: Record<string, string> = {
  "utf-8": "utf8",
  binary: "latin1",
  ucs2: "utf16le",
  "ucs-2": "utf16le",
  "utf-16le": "utf16le",
};

function codingName(encoding: unknown): string | null {
  const name = typeof encoding === "string" ? encoding.toLowerCase() : "";
  const known = Object.hasOwn(OTHER_NAMES, name) ? (OTHER_NAMES[name] as string) : name;
  return Object.hasOwn(CODINGS, known) ? known : null;
}

function codingOf(encoding: unknown = "utf8"): BufferCoding {
  const name = codingName(encoding);
  if (name === null) throw new TypeError(`Unknown encoding: ${String(encoding).slice(0, 64)}`);
  return CODINGS[name] as BufferCoding;
}

/** The part of Node's Buffer that snippets use: bytes with conversions to text. It shares nothing with a pool. */
export class Buffer extends Uint8Array<ArrayBuffer> {
  constructor(first?: unknown, offset?: number, length?: number) {
    if (typeof first === "string")
      throw new TypeError("new Buffer(text) is not supported: use Buffer.from(text)");
    super(first as ArrayBuffer, offset, length);
  }

  static override from(value: unknown, second?: unknown, third?: unknown): Buffer {
    if (typeof value === "string") return wrap(codingOf(second ?? "utf8").read(value));
    if (value instanceof ArrayBuffer) return new Buffer(value, second as number, third as number);
    if (typeof value !== "object" || value === null)
      throw new TypeError("Buffer.from needs a text, an array, a buffer or a view");
    const { type, data } = value as { type?: unknown; data?: unknown };
    const bytes = type === "Buffer" && Array.isArray(data) ? data : value;
    return wrap(Uint8Array.from(bytes as ArrayLike<number>));
  }

  static alloc(size: number, fill: string | number | Uint8Array = 0, encoding?: unknown): Buffer {
    const made = new Buffer(size);
    if (typeof fill === "number") return made.fill(fill);
    const bytes = typeof fill === "string" ? codingOf(encoding).read(fill) : fill;
    if (bytes.length > 0)
      for (let at = 0; at < made.length; at++) made[at] = bytes[at % bytes.length] as number;
    return made;
  }

  static concat(list: readonly Uint8Array[], totalLength?: number): Buffer {
    const made = new Buffer(totalLength ?? list.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of list) {
      made.set(part.subarray(0, made.length - at), at);
      at = Math.min(at + part.length, made.length);
    }
    return made;
  }

  static byteLength(value: unknown, encoding?: unknown): number {
    if (typeof value === "string") return codingOf(encoding).read(value).length;
    const bytes = bytesOf(value);
    if (bytes === null) throw new TypeError("Buffer.byteLength needs a text, a buffer or a view");
    return bytes.length;
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof Buffer;
  }

  static isEncoding(encoding: unknown): boolean {
    return codingName(encoding) !== null;
  }

  override toString(encoding?: unknown, start = 0, end = this.length): string {
    return codingOf(encoding).write(this.subarray(Math.max(0, start), Math.max(0, end)));
  }

  equals(other: Uint8Array): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at]);
  }

  /** Shares the same memory, unlike `slice` of other byte arrays. */
  override slice(start?: number, end?: number): Buffer {
    return this.subarray(start, end) as Buffer;
  }

  toJSON(): { type: "Buffer"; data: number[] } {
    return { type: "Buffer", data: Array.from(this) };
  }
}

const wrap = (bytes: Uint8Array): Buffer => new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength);
