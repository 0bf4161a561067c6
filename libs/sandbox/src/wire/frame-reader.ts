import { FrameDecoder } from "./frame.ts";
import { RESULT_CHARS_MAX } from "./bounds.ts";
import { fromSandbox, type FrameFromSandbox, type FromSandbox, type ReturnedHead } from "./from-sandbox.ts";
import { WireError } from "./wire-error.ts";

/** Turns a sandbox's bytes into messages; any other bytes are a WireError. */
export class FrameReader {
  readonly #decoder: FrameDecoder;
  /** The head of the result whose text comes next. */
  #head: ReturnedHead | null = null;

  constructor(payloadBytesMax: number) {
    this.#decoder = new FrameDecoder(payloadBytesMax);
  }

  set payloadBytesMax(bytes: number) {
    this.#decoder.payloadBytesMax = bytes;
  }

  /** The messages that this chunk completes; those before a fault are handed out before it throws. */
  *push(chunk: Uint8Array): Generator<FromSandbox, void, undefined> {
    for (const text of this.#decoder.push(chunk)) {
      const message = this.#head ? { ...this.#head, json: resultOf(text) } : parse(text);
      this.#head = message.type === "returned" && message.json === null ? message : null;
      if (this.#head === null) yield message as FromSandbox;
    }
  }
}

function resultOf(text: string): string {
  if (text.length > RESULT_CHARS_MAX) throw new WireError("a result is over its bound");
  return text;
}

function parse(text: string): FrameFromSandbox {
  const parsed = fromSandbox.safeParse(readJson(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new WireError(`a frame breaks the wire at ${issue?.path.join(".") || "its root"}: ${issue?.code}`);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError("a frame is not JSON");
  }
}
