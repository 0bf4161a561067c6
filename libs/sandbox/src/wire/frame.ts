import { PREFIX_BYTES, RESULT_APART_CHARS } from "./bounds.ts";
import type { FrameFromSandbox, FromSandbox } from "./from-sandbox.ts";
import { WireError } from "./wire-error.ts";

/** One frame: its length in four bytes, then JSON in UTF-8. Throws a WireError over `payloadBytesMax`. */
export function encodeFrame(message: unknown, payloadBytesMax: number): Buffer {
  const text = JSON.stringify(message);
  const bytes = Buffer.byteLength(text);
  if (bytes > payloadBytesMax) throw new WireError(`a frame of ${bytes} bytes is over ${payloadBytesMax}`);
  return frameOf(text, bytes);
}

/** A frame that holds text as it is: the program that a sandbox is started with. */
export const encodeText = (text: string): Buffer => frameOf(text, Buffer.byteLength(text));

/** A frame that holds bytes as they are: a sandbox program starts from such a frame. */
export function encodeBytes(bytes: Uint8Array): Buffer {
  const prefix = Buffer.allocUnsafe(PREFIX_BYTES);
  prefix.writeUInt32BE(bytes.byteLength, 0);
  return Buffer.concat([prefix, bytes]);
}

/** A sandbox's message, in as many frames as it takes. Throws a WireError over `payloadBytesMax`. */
export function encodeFromSandbox(message: FromSandbox, payloadBytesMax: number): Buffer {
  if (message.type !== "returned" || message.json.length <= RESULT_APART_CHARS)
    return encodeFrame(message, payloadBytesMax);
  const head: FrameFromSandbox = { ...message, json: null };
  return Buffer.concat([encodeFrame(head, payloadBytesMax), encodeText(message.json)]);
}

function frameOf(text: string, bytes: number): Buffer {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + bytes);
  frame.writeUInt32BE(bytes, 0);
  frame.write(text, PREFIX_BYTES, "utf8");
  return frame;
}

/** Cuts a stream of bytes into frames, however it arrives. */
export class FrameDecoder {
  /** A longer frame is refused by its prefix, before any of it is kept. May change between frames. */
  payloadBytesMax: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** The length of the frame under way; null between frames. */
  #expected: number | null = null;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

  constructor(payloadBytesMax: number) {
    this.payloadBytesMax = payloadBytesMax;
  }

  /** Bytes that wait for the rest of their frame. */
  get bufferedBytes(): number {
    return this.#bytes;
  }

  /** The texts of all frames that this chunk completes. Throws a WireError where the stream can't be trusted any more. */
  *push(chunk: Uint8Array): Generator<string, void, undefined> {
    this.#chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.#bytes += chunk.byteLength;
    for (;;) {
      if (this.#expected === null) {
        if (this.#bytes < PREFIX_BYTES) return;
        this.#expected = this.#take(PREFIX_BYTES).readUInt32BE(0);
      }
      if (this.#expected > this.payloadBytesMax) {
        this.#chunks = [];
        this.#bytes = 0;
        throw new WireError(`a frame of ${this.#expected} bytes is over ${this.payloadBytesMax}`);
      }
      if (this.#bytes < this.#expected) return;
      const payload = this.#take(this.#expected);
      this.#expected = null;
      yield this.#decode(payload);
    }
  }

  #decode(payload: Buffer): string {
    try {
      return this.#utf8.decode(payload);
    } catch (cause) {
      throw new WireError("a frame is not UTF-8", { cause });
    }
  }

  /** The next `count` bytes, copied only where they span chunks; there must be as many. */
  #take(count: number): Buffer {
    const first = this.#chunks[0];
    this.#bytes -= count;
    if (first !== undefined && first.length >= count) {
      if (first.length === count) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    const all = Buffer.concat(this.#chunks);
    this.#chunks = all.length > count ? [all.subarray(count)] : [];
    return all.subarray(0, count);
  }
}
