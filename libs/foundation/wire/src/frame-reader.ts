import type { z } from "zod";
import { FrameDecoder } from "./frame.ts";
import { WireError } from "./wire-error.ts";

/** Turns bytes into messages of one closed union; whatever is not one of them is a WireError. */
export class FrameReader<S extends z.ZodType> {
  readonly #decoder: FrameDecoder;
  readonly #schema: S;

  constructor(schema: S, payloadBytesMax: number) {
    this.#schema = schema;
    this.#decoder = new FrameDecoder(payloadBytesMax);
  }

  set payloadBytesMax(bytes: number) {
    this.#decoder.payloadBytesMax = bytes;
  }

  /** The messages that this chunk completes; those before a fault are handed out before it throws. */
  *push(chunk: Uint8Array): Generator<z.output<S>, void, undefined> {
    for (const text of this.#decoder.push(chunk)) yield this.#parse(text);
  }

  #parse(text: string): z.output<S> {
    const parsed = this.#schema.safeParse(readJson(text));
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new WireError(`a frame breaks the wire at ${issue?.path.join(".") || "its root"}: ${issue?.code}`);
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new WireError("a frame is not JSON");
  }
}
