import { isUtf8 } from "node:buffer";
import { setTimeout as pause } from "node:timers/promises";
import type { EgressPart } from "@bulkhead/core";
import type { Bytes } from "./decode-body.ts";

/** How much a part holds, and how long it waits for more. */
export interface PartBounds {
  bytesMax: number;
  /** For more bytes once there are some, or from the start where the part may be empty; milliseconds. */
  msMax: number;
  mayBeEmpty: boolean;
}

type Got = { chunk: Buffer } | { failure: unknown } | "end";

const LATE = "late" as const;
const EMPTY: EgressPart = { body: "", bodyEncoding: "utf8", done: true };

/**
 * A response's body, taken part by part. It reads its source one chunk at a time, and not at all while nobody reads. A
 * broken source is reported after the parts that had arrived.
 */
export class OpenBody {
  readonly #chunks: AsyncIterator<Buffer>;
  /** The pending read of the source; it stays pending when a part does not wait for it. */
  #pending: Promise<Got> | null = null;
  #held: Buffer = Buffer.alloc(0);
  #ended = false;
  #failure: { error: unknown } | null = null;

  constructor(source: Bytes) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /** The next part; rejects with the source's error, unless the part may be empty. One call at a time. */
  async take(bounds: PartBounds): Promise<EgressPart> {
    const bytes = await this.#gather(bounds);
    if (bytes.length === 0 && this.#failure && !bounds.mayBeEmpty) throw this.#failure.error;
    if (bytes.length === 0 && this.#ended) return EMPTY;
    return this.#toPart(bytes, bounds.bytesMax);
  }

  /** Closes the source without waiting for a pending read. */
  close(): void {
    this.#chunks.return?.().catch(() => undefined);
  }

  async #gather({ bytesMax, msMax, mayBeEmpty }: PartBounds): Promise<Buffer> {
    const gathered = [this.#held];
    let bytes = this.#held.length;
    this.#held = Buffer.alloc(0);
    const stop = new AbortController();
    let late: Promise<typeof LATE> | null = null;
    while (bytes < bytesMax && !this.#ended && !this.#failure) {
      if (mayBeEmpty || bytes > 0)
        late ??= pause(msMax, LATE, { signal: stop.signal }).catch((): typeof LATE => LATE);
      this.#pending ??= this.#ask();
      const got = await (late ? Promise.race([this.#pending, late]) : this.#pending);
      if (got === LATE) break;
      this.#pending = null;
      if (got === "end") this.#ended = true;
      else if ("failure" in got) this.#failure = { error: got.failure };
      else {
        gathered.push(got.chunk);
        bytes += got.chunk.length;
      }
    }
    stop.abort();
    return gathered.length === 1 && gathered[0] ? gathered[0] : Buffer.concat(gathered, bytes);
  }

  /** Never rejects: nobody may be waiting when the source breaks. */
  async #ask(): Promise<Got> {
    try {
      const { done, value } = await this.#chunks.next();
      return done === true ? "end" : { chunk: value };
    } catch (failure) {
      return { failure };
    }
  }

  #toPart(bytes: Buffer, bytesMax: number): EgressPart {
    let part = bytes.subarray(0, bytesMax);
    const isText = isUtf8(part);
    const cut = isText ? part.length : lastWhole(part);
    // A character that the next bytes complete waits for them: text stays text.
    const isTextBefore =
      cut > 0 && cut < part.length && !this.#isLast(bytes, part) && isUtf8(part.subarray(0, cut));
    if (isTextBefore) part = part.subarray(0, cut);
    this.#held = bytes.subarray(part.length);
    const bodyEncoding = isText || isTextBefore ? "utf8" : "base64";
    return { body: part.toString(bodyEncoding), bodyEncoding, done: this.#isLast(bytes, part) };
  }

  #isLast(bytes: Buffer, part: Buffer): boolean {
    return this.#ended && part.length === bytes.length;
  }
}

/** The start of a UTF-8 sequence that the end of the bytes cuts off; their length if there is none. */
function lastWhole(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
