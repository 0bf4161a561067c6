import { JsonParts, MCP_MESSAGE_PARTS_MAX } from "@bulkhead/core";
import { BridgeError } from "./bridge-error.ts";

const LINE_FEED = 0x0a;
/** As much of a line as tells whether it ends an event or names it. */
const HEAD_CHARS = 3;

export const tooLarge = (bytesMax: number): BridgeError =>
  new BridgeError(`a message of the server's is larger than ${bytesMax} bytes`, "too_large");

/** Counts the parts of a message, and throws where there are more than one may have. */
export function countParts(parts: JsonParts, chunk: Buffer): void {
  parts.take(chunk);
  if (parts.count > MCP_MESSAGE_PARTS_MAX)
    throw new BridgeError(
      `a message of the server's has more than ${MCP_MESSAGE_PARTS_MAX} names, objects and lists`,
      "too_large",
    );
}

/** Weighs the answer of an HTTP request as it passes: one that is a stream of events event by event, any other as a whole. */
export class EventGauge {
  readonly #isStream: boolean;
  readonly #isJson: boolean;
  #bytes = 0;
  readonly #parts = new JsonParts();
  /** Of a document, whether anything but blanks has come of it. */
  #isBegun = false;
  /** The beginning of the present line. */
  #head = "";
  /** Whether an event had a name, by which its server can be asked for what came after it. */
  hasEventId = false;

  /** Bytes of one message, which may change while a stream goes on. */
  readonly #bytesMax: () => number;

  constructor(contentType: string, bytesMax: () => number) {
    this.#bytesMax = bytesMax;
    this.#isStream = contentType.startsWith("text/event-stream");
    this.#isJson = contentType.startsWith("application/json");
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  /** Throws where a message is larger than it may be, or a document is not one message. */
  take(chunk: Buffer): void {
    if (this.#isStream) return this.#takeLines(chunk);
    this.#add(chunk);
    if (this.#isJson && !this.#isBegun) this.#begin(chunk);
  }

  /** A list of messages would be read in one step, half a million of them. */
  #begin(chunk: Buffer): void {
    const first = chunk.toString("latin1").trimStart()[0];
    if (first === "[") throw new BridgeError("the server answered with a list of messages, not with one");
    this.#isBegun = first !== undefined;
  }

  #add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    const bytesMax = this.#bytesMax();
    if (this.#bytes > bytesMax) throw tooLarge(bytesMax);
    countParts(this.#parts, chunk);
  }

  #takeLines(chunk: Buffer): void {
    for (let from = 0; from < chunk.length;) {
      const end = chunk.indexOf(LINE_FEED, from);
      const until = end === -1 ? chunk.length : end;
      if (this.#head.length < HEAD_CHARS)
        this.#head += chunk.toString("latin1", from, Math.min(until, from + HEAD_CHARS - this.#head.length));
      this.#add(chunk.subarray(from, until + 1));
      from = until + 1;
      if (end !== -1) this.#endLine();
    }
  }

  #endLine(): void {
    if (this.#head === "" || this.#head === "\r") {
      this.#bytes = 0;
      this.#parts.reset();
    } else if (this.#head === "id:") this.hasEventId = true;
    this.#head = "";
  }
}
