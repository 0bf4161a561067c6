import type { Content } from "./body-content.ts";
import { blobs, mediaTypes, streams } from "./body-modules.ts";
import { chunkBytes, chunkText, type Chunk } from "./chunk.ts";
import { streamContent } from "./content-stream.ts";
import { gatherContent } from "./gather-content.ts";
import type { Headers } from "./headers.ts";
import { readJson, takeBigNumbers } from "./exact-json.ts";
import { readForm } from "./read-form.ts";
import type { ReadableStream } from "web-streams-polyfill";
import { copyBytes } from "./utf8.ts";
import { webInterface } from "./web-interface.ts";

let take: (body: Body) => Content | null;
let share: (body: Body) => Content | null;
let canBeRead: (body: Body) => boolean;

/** The common part of requests and responses: a body that is read once, whole or as a stream. */
export class Body {
  readonly #headers: Headers;
  #content: Content | null;
  #isUsed = false;

  static {
    webInterface(this, "Body");
    take = (body) => body.#take();
    share = (body) => body.#share();
    canBeRead = (body) => !body.#isUnusable();
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
    if (!("stream" in this.#content)) this.#content = { stream: streamContent(this.#content, this.#isUsed) };
    return this.#content.stream;
  }
  get bodyUsed(): boolean {
    const content = this.#content;
    return (
      content !== null && (this.#isUsed || ("stream" in content && streams().isDisturbed(content.stream)))
    );
  }
  async text(): Promise<string> {
    return chunkText(await this.#consume());
  }
  /** Takes, beyond the standard, `{ bigNumbers: "string" }`. */
  async json(options?: unknown): Promise<unknown> {
    const asked = (options as { bigNumbers?: unknown } | null | undefined)?.bigNumbers;
    const bigNumbers = takeBigNumbers("json", asked);
    return readJson(chunkText(await this.#consume()), bigNumbers);
  }
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return chunkBytes(await this.#consume());
  }
  async arrayBuffer(): Promise<ArrayBuffer> {
    return chunkBytes(await this.#consume()).buffer;
  }
  async blob(): Promise<unknown> {
    const type = mediaTypes().mediaTypeOf(this.#headers.get("content-type") ?? "");
    const { Blob } = blobs();
    return new Blob([chunkBytes(await this.#consume())], { type });
  }
  async formData(): Promise<unknown> {
    const type = this.#headers.get("content-type") ?? "";
    return readForm(type, () => this.#consume());
  }

  #share(): Content | null {
    this.#requireUnused();
    const content = this.#content;
    if (content === null) return null;
    if ("whole" in content)
      return { whole: typeof content.whole === "string" ? content.whole : copyBytes(content.whole) };
    const [own, other] = streams().teeStream(this.body as ReadableStream);
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
    if (this.#isUnusable()) throw new TypeError("Body is unusable: it was read already");
  }
  #isUnusable(): boolean {
    const content = this.#content;
    return this.bodyUsed || (content !== null && "stream" in content && content.stream.locked);
  }

  async #consume(): Promise<Chunk> {
    return gatherContent(this.#take(), Infinity);
  }
}

/** The same content for a second body; the first keeps its own. Throws a TypeError where it was read. */
export const shareBody = (body: Body): Content | null => share(body);

/** Whether nobody has read it, or begun to. */
export const isReadable = (body: Body): boolean => canBeRead(body);

/** The content for another use; the body counts as read. Throws a TypeError where it was read. */
export const takeBody = (body: Body): Content | null => take(body);
