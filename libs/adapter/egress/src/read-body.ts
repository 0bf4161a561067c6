import { isUtf8 } from "node:buffer";
import type { ByteBudget } from "./byte-budget.ts";
import { type Bytes, decodeBody, readCodings } from "./decode-body.ts";
import { Refusal } from "./refusal.ts";

export interface ReadBody {
  body: string;
  bodyEncoding: "utf8" | "base64";
  /** The codings were taken off, so the headers that describe them are no longer true. */
  decoded: boolean;
}

/** Room for the frames of a coding, when what comes out may be as long as what goes in. */
const CODED_BYTES_MORE = 64 * 1024;

/**
 * Reads a body to its end. What comes out of the last coding is charged to the budget; what goes into each is bounded
 * too, since a coded stream can be endless and yield nothing.
 */
export async function readBody(
  source: Bytes,
  contentEncoding: string | undefined,
  budget: ByteBudget,
): Promise<ReadBody> {
  const codings = readCodings(contentEncoding) ?? [];
  let bytes = source;
  for (const coding of codings)
    bytes = decodeBody(coding, boundCoded(bytes, budget.bytesMax + CODED_BYTES_MORE));
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) {
    budget.take(chunk.length);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  const bodyEncoding = isUtf8(whole) ? "utf8" : "base64";
  return { body: whole.toString(bodyEncoding), bodyEncoding, decoded: codings.length > 0 };
}

async function* boundCoded(source: Bytes, bytesMax: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of source) {
    total += chunk.length;
    if (total > bytesMax)
      throw new Refusal("network_limit", `the compressed response is larger than ${bytesMax} bytes`);
    yield chunk;
  }
}
