import type { BodySource, Content } from "./body-content.ts";
import { blobs } from "./body-modules.ts";
import { chunkBytes, type Chunk } from "./chunk.ts";
import type { ReadableStream } from "web-streams-polyfill";

/** All of a content, however it comes; rejects with a RangeError over `lengthMax` bytes, as far as it comes in parts. */
export async function gatherContent(content: Content | null, lengthMax: number): Promise<Chunk> {
  if (content === null) return "";
  if ("whole" in content) return content.whole;
  const source = sourceOf(content);
  const parts: Chunk[] = [];
  let length = 0;
  for (let part = await source.read(); part !== null; part = await source.read()) {
    parts.push(part);
    length += part.length;
    if (length <= lengthMax) continue;
    source.cancel();
    throw new RangeError(`the body is longer than ${lengthMax} bytes`);
  }
  return joinParts(parts);
}

/** Whole parts of a content until they have `lengthWanted` bytes or more; the rest of it is given up. */
export async function gatherBeginning(content: Content | null, lengthWanted: number): Promise<Chunk> {
  if (content === null) return "";
  if ("whole" in content) return content.whole;
  const source = sourceOf(content);
  const parts: Chunk[] = [];
  let length = 0;
  while (length < lengthWanted) {
    const part = await source.read();
    if (part === null) return joinParts(parts);
    parts.push(part);
    length += part.length;
  }
  source.cancel();
  return joinParts(parts);
}

function joinParts(parts: Chunk[]): Chunk {
  if (parts.length === 1) return parts[0] as Chunk;
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return blobs().joinBytes(parts.map(chunkBytes));
}

const sourceOf = (content: Exclude<Content, { whole: Chunk }>): BodySource =>
  "source" in content ? content.source : readerOf(content.stream);

function readerOf(stream: ReadableStream): BodySource {
  const reader = stream.getReader();
  return {
    read: async () => {
      const { done, value } = await reader.read();
      if (done) return null;
      if (value instanceof Uint8Array) return value as Uint8Array<ArrayBuffer>;
      throw new TypeError("a body's stream must give Uint8Array chunks");
    },
    cancel: () => void reader.cancel().catch(() => undefined),
  };
}
