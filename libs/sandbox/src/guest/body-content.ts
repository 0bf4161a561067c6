import { blobs, forms, multipart, streams } from "./body-modules.ts";
import type { Chunk } from "./chunk.ts";
import { isArray, objectToString, toText } from "./primordials.ts";
import type { ReadableStream } from "web-streams-polyfill";
import { URLSearchParams } from "./url-search-params.ts";
import { bytesOf, copyBytes } from "./utf8.ts";

/** The source of a body, part by part; null after the last. */
export interface BodySource {
  read(): Promise<Chunk | null>;
  cancel(): void;
}

export type Content = { whole: Chunk } | { source: BodySource } | { stream: ReadableStream };

/** Whether `contentOf` knows this object as more than its text. */
export function isBodyInit(init: object): boolean {
  // Most data is seen to be none of them without their modules.
  if (isArray(init) || objectToString(init) === "[object Object]") return false;
  if (bytesOf(init) !== null || init instanceof URLSearchParams) return true;
  if (init instanceof blobs().Blob || init instanceof forms().FormData) return true;
  return init instanceof streams().ReadableStream;
}

/** The content of a body, and its `content-type`. Throws a TypeError for a stream that was read. */
export function contentOf(init: unknown): { content: Content | null; type: string | null } {
  if (init === undefined || init === null) return { content: null, type: null };
  if (typeof init !== "object") return textContent(toText(init), "text/plain;charset=UTF-8");
  const bytes = bytesOf(init);
  if (bytes !== null) return { content: { whole: copyBytes(bytes) }, type: null };
  if (init instanceof URLSearchParams)
    return textContent(init.toString(), "application/x-www-form-urlencoded;charset=UTF-8");
  const { Blob, blobBytes } = blobs();
  if (init instanceof Blob)
    return { content: { whole: copyBytes(blobBytes(init)) }, type: init.type || null };
  if (init instanceof forms().FormData) {
    const written = multipart().writeMultipart(init);
    return { content: { whole: written.bytes }, type: written.type };
  }
  const { ReadableStream: Stream, isDisturbed } = streams();
  if (!(init instanceof Stream)) return textContent(toText(init), "text/plain;charset=UTF-8");
  if (init.locked || isDisturbed(init)) throw new TypeError("the stream was read already");
  return { content: { stream: init }, type: null };
}

const textContent = (text: string, type: string) => ({ content: { whole: text.toWellFormed() }, type });
