import type { MemoryContent } from "@bulkhead/core";
import { isUtf8 } from "node:buffer";
import { chunkText } from "./chunk-text.ts";
import { HASHED_MODEL, hashedVectors } from "./hashed-embeddings.ts";
import { packVectors, packWords } from "./weights.ts";

/** What one thread is given to index. */
export interface IndexJob {
  bytes: Uint8Array;
  /** Whether the vectors are the hashed ones, which are made at once; others come later. */
  withVectors: boolean;
}

export function indexContent({ bytes, withVectors }: IndexJob): MemoryContent {
  if (!isUtf8(bytes) || bytes.includes(0)) return { chunks: null, words: packWords([]), vectors: null };
  const chunks = chunkText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  const texts = chunks.map(({ text }) => text);
  const vectors = withVectors && texts.length > 0 ? packVectors(HASHED_MODEL, hashedVectors(texts)) : null;
  return { chunks, words: packWords(texts), vectors };
}
