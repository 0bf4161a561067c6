import { parseJson, toText } from "./primordials.ts";
import { lazily } from "./lazily.ts";
import type { Headers } from "./headers.ts";
import type { ReadableStream } from "./readable-stream.ts";
import { URLSearchParams } from "./url.ts";
import { bytesOf, copyBytes, decodeUtf8, encodeUtf8 } from "./utf8.ts";

declare const require: (path: string) => unknown;

const streams = lazily(() => require("./readable-stream.ts") as typeof import("./readable-stream.ts"));
const blobs = lazily(() => require("./blob.ts") as typeof import("./blob.ts"));
const forms = lazily(() => require("./form-data.ts") as typeof import("./form-data.ts"));
const multipart = lazily(() => require("./multipart.ts") as typeof import("./multipart.ts"));

/** Bytes, or the text that stands for them in UTF-8. */
export type Chunk = string | Uint8Array<ArrayBuffer>;

/** Where a body comes from, part by part; null after the last. */
export interface BodySource {
  read(): Promise<Chunk | null>;
  cancel(): void;
}

export type Content = { whole: Chunk } | { source: BodySource } | { stream: ReadableStream };

/** What a body is made of, and the `content-type` that belongs to it. Throws a TypeError for a stream that was read. */
export function contentOf(init: unknown): { content: Content | null; type: string | null } {
  if (init === undefined || init === null) return { content: null, type: null };
  if (typeof init !== "object") return textContent(toText(init), "text/plain;charset=UTF-8");
  const bytes = bytesOf(init);
  if (bytes !== null) return { content: { whole: copyBytes(bytes) }, type: null };
  if (init instanceof URLSearchParams)
    return textContent(init.toString(), "application/x-www-form-urlencoded;charset=UTF-8");
  const { ReadableStream: Stream, isDisturbed } = streams();
  if (init instanceof Stream) {
    if (init.locked || isDisturbed(init)) throw new TypeError("the stream was read already");
    return { content: { stream: init }, type: null };
  }
  const { Blob, blobBytes } = blobs();
  if (init instanceof Blob)
    return { content: { whole: copyBytes(blobBytes(init)) }, type: init.type || null };
  if (!(init instanceof forms().FormData)) return textContent(toText(init), "text/plain;charset=UTF-8");
  const written = multipart().writeMultipart(init);
  return { content: { whole: written.bytes }, type: written.type };
}

const textContent = (text: string, type: string) => ({ content: { whole: text.toWellFormed() }, type });

let take: (body: Body) => Content | null;
let share: (body: Body) => Content | null;

/** What requests and responses have in common: a body that is read once, whole or as a stream. */
export class Body {
  readonly #headers: Headers;
  #content: Content | null;
  #isUsed = false;

  static {
    take = (body) => body.#take();
    share = (body) => body.#share();
  }

  constructor(content: Content | null, headers: Headers) {
    this.#content = content;
    this.#headers = headers;
  }

  get headers(): Headers {
    return this.#headers;
  }

  get body(): ReadableStream | null {
    if (this.#content === null) return null;
    if (!("stream" in this.#content)) this.#content = { stream: streamOf(this.#content, this.#isUsed) };
    return this.#content.stream;
  }
  get bodyUsed(): boolean {
    const content = this.#content;
    return (
      content !== null && (this.#isUsed || ("stream" in content && streams().isDisturbed(content.stream)))
    );
  }
  async text(): Promise<string> {
    return textOf(await this.#consume());
  }
  async json(): Promise<unknown> {
    return parseJson(textOf(await this.#consume()));
  }
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return toBytes(await this.#consume());
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return toBytes(await this.#consume()).buffer;
  }
  async blob(): Promise<unknown> {
    const type = this.#headers.get("content-type") ?? "";
    const { Blob } = blobs();
    return new Blob([toBytes(await this.#consume())], { type });
  }
  async formData(): Promise<unknown> {
    const type = this.#headers.get("content-type") ?? "";
    const essence = type.split(";")[0]?.trim().toLowerCase();
    if (essence === "multipart/form-data") {
      const { readMultipart } = multipart();
      return readMultipart(toBytes(await this.#consume()), type);
    }
    if (essence !== "application/x-www-form-urlencoded") throw new TypeError("the body is not a form");
    const form = new (forms().FormData)();
    for (const [name, value] of new URLSearchParams(textOf(await this.#consume()))) form.append(name, value);
    return form;
  }

  #share(): Content | null {
    this.#requireUnused();
    const content = this.#content;
    if (content === null) return null;
    if ("whole" in content)
      return { whole: typeof content.whole === "string" ? content.whole : copyBytes(content.whole) };
    const copy = (chunk: unknown): unknown => (chunk instanceof Uint8Array ? chunk.slice() : chunk);
    const [own, other] = streams().teeStream(this.body as ReadableStream, copy);
    this.#content = { stream: own };
    return { stream: other };
  }

  #take(): Content | null {
    this.#requireUnused();
    const content = this.#content;
    if (content !== null) this.#isUsed = true;
    return content;
  }

  #requireUnused(): void {
    const content = this.#content;
    if (this.bodyUsed || (content !== null && "stream" in content && content.stream.locked))
      throw new TypeError("Body is unusable: it was read already");
  }

  async #consume(): Promise<Chunk> {
    return gatherContent(this.#take(), Infinity);
  }
}

/** All of a content, however it comes; rejects with a RangeError over `lengthMax` bytes, as far as it comes in parts. */
export async function gatherContent(content: Content | null, lengthMax: number): Promise<Chunk> {
  if (content === null) return "";
  if ("whole" in content) return content.whole;
  const source = "source" in content ? content.source : readerOf(content.stream);
  const parts: Chunk[] = [];
  let length = 0;
  for (let part = await source.read(); part !== null; part = await source.read()) {
    parts.push(part);
    length += part.length;
    if (length <= lengthMax) continue;
    source.cancel();
    throw new RangeError(`the body is longer than ${lengthMax} bytes`);
  }
  if (parts.length === 1) return parts[0] as Chunk;
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  return blobs().joinBytes(parts.map(toBytes));
}

/** The same content for a second body; the first keeps its own. Throws a TypeError where it was read. */
export const shareBody = (body: Body): Content | null => share(body);

/** The content for another use; the body counts as read. Throws a TypeError where it was read. */
export const takeBody = (body: Body): Content | null => take(body);

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

function streamOf(content: Exclude<Content, { stream: unknown }>, isUsed: boolean): ReadableStream {
  let source = "source" in content ? content.source : sourceOf(content.whole);
  if (isUsed) source = { read: () => Promise.resolve(null), cancel: () => undefined };
  const stream = new (streams().ReadableStream)(
    {
      pull: async (controller) => {
        const part = await source.read();
        if (part === null) controller.close();
        else controller.enqueue(toBytes(part));
      },
      cancel: () => source.cancel(),
    },
    { highWaterMark: 0 },
  );
  // A body that was read is seen as such through its stream too, and nobody else gets it.
  if (isUsed) void stream.getReader().cancel();
  return stream;
}

function sourceOf(whole: Chunk): BodySource {
  let left: Chunk | null = whole.length > 0 ? whole : null;
  const read = (): Promise<Chunk | null> => {
    const part = left;
    left = null;
    return Promise.resolve(part);
  };
  return { read, cancel: () => void read() };
}

const toBytes = (chunk: Chunk): Uint8Array<ArrayBuffer> =>
  typeof chunk === "string" ? encodeUtf8(chunk) : chunk;

function textOf(chunk: Chunk): string {
  if (typeof chunk !== "string") return decodeUtf8(chunk, false);
  return chunk.startsWith("\ufeff") ? chunk.slice(1) : chunk;
}
