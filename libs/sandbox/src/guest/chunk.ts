import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

/** Bytes, or the text that stands for them in UTF-8. */
export type Chunk = string | Uint8Array<ArrayBuffer>;

export const chunkBytes = (chunk: Chunk): Uint8Array<ArrayBuffer> =>
  typeof chunk === "string" ? encodeUtf8(chunk) : chunk;

/** Leaves out a byte order mark; invalid UTF-8 becomes U+FFFD. */
export function chunkText(chunk: Chunk): string {
  if (typeof chunk !== "string") return decodeUtf8(chunk, false);
  return chunk.startsWith("\ufeff") ? chunk.slice(1) : chunk;
}
