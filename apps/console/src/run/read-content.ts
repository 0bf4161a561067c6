import { type ContentPart, isBase64, readPart } from "@bulkhead/core/content-part";
import { isObject } from "../format/json-object.ts";

/** A result that is more than data. */
export type Marked =
  | { kind: "content"; parts: ContentPart[] }
  | { kind: "output"; forUser: unknown; forLLM: unknown };

/** What `utils.content` or `utils.output` made; null where a result is plain data. */
export function readMarked(value: unknown): Marked | null {
  if (!isObject(value)) return null;
  const { $bulkhead: mark, content, forUser, forLLM } = value;
  if (mark === "output") return { kind: "output", forUser, forLLM };
  if (mark !== "content" || !Array.isArray(content)) return null;
  // A part of another form is data.
  return { kind: "content", parts: content.map((part) => readPart(part) ?? { type: "json", json: part }) };
}

/** The kinds of images that are shown; no other data is handed to the browser as one. */
const IMAGE = /^image\/(png|jpeg|gif|webp|avif|svg\+xml)$/;

/** The address of an image that is all in it, from its parts or from a text of that form; null for anything else. */
export function imageUrl(mimeType: string, base64: string): string | null {
  return IMAGE.test(mimeType) && isBase64(base64) ? `data:${mimeType};base64,${base64}` : null;
}

/** The kinds of sound that are played. */
const AUDIO = /^audio\/(mpeg|wav|ogg|mp4|aac|flac|webm)$/;

/** The same of sound. */
export function audioUrl(mimeType: string, base64: string): string | null {
  return AUDIO.test(mimeType) && isBase64(base64) ? `data:${mimeType};base64,${base64}` : null;
}

const DATA_URL = /^data:([a-z]+\/[a-z.+-]+);base64,/;

export function imageIn(text: string): string | null {
  const [head, mimeType] = DATA_URL.exec(text) ?? [];
  return head === undefined || mimeType === undefined ? null : imageUrl(mimeType, text.slice(head.length));
}
