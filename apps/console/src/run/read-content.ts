/** A part of what `utils.content` makes; one of another form is data. */
export type ContentPart =
  | { type: "text"; text: string }
  | { type: "image" | "audio"; data: string; mimeType: string }
  | { type: "resource"; uri: string; mimeType: string; text?: string; blob?: string }
  | { type: "resource_link"; uri: string; name: string }
  | { type: "json"; json: unknown };

/** A result that is more than data. */
export type Marked =
  | { kind: "content"; parts: ContentPart[] }
  | { kind: "output"; forUser: unknown; forLLM: unknown };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const isBase64 = (value: unknown): value is string =>
  isText(value) && value.length % 4 === 0 && BASE64.test(value);

/** What `utils.content` or `utils.output` made; null where a result is plain data. */
export function readMarked(value: unknown): Marked | null {
  if (!isFields(value)) return null;
  const { $bulkhead: mark, content, forUser, forLLM } = value;
  if (mark === "output") return { kind: "output", forUser, forLLM };
  if (mark !== "content" || !Array.isArray(content)) return null;
  return {
    kind: "content",
    parts: content.map((part: unknown) => readPart(part) ?? { type: "json", json: part }),
  };
}

function readPart(said: unknown): ContentPart | null {
  if (!isFields(said)) return null;
  const { type, text, data, mimeType, resource, uri, name, json } = said;
  switch (type) {
    case "text":
      return isText(text) ? { type, text } : null;
    case "image":
    case "audio":
      return isBase64(data) && isText(mimeType) ? { type, data, mimeType } : null;
    case "resource":
      return isFields(resource) ? readResource(resource) : null;
    case "resource_link":
      return isText(uri) && isText(name) ? { type, uri, name } : null;
    case "json":
      return { type, json };
    default:
      return null;
  }
}

function readResource({ uri, mimeType, text, blob }: Fields): ContentPart | null {
  if (!isText(uri) || (blob !== undefined && !isBase64(blob))) return null;
  return {
    type: "resource",
    uri,
    mimeType: isText(mimeType) ? mimeType : "application/octet-stream",
    ...(isText(text) && { text }),
    ...(blob !== undefined && { blob }),
  };
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
