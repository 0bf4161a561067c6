import { parseJson, toText } from "./primordials.ts";
import { bytesOf, copyBytes, decodeUtf8, encodeUtf8 } from "./utf8.ts";
import { Headers } from "./headers.ts";

/** How a response describes itself beside its body. */
export interface ResponseInit {
  status?: number;
  statusText?: string;
  headers?: unknown;
  url?: string;
  redirected?: boolean;
}

/** A response whose body has arrived whole; it may be read once, as on the web. */
export class Response {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string;
  readonly redirected: boolean;
  bodyUsed = false;
  readonly #body: string | Uint8Array<ArrayBuffer>;

  constructor(body?: unknown, init: ResponseInit = {}) {
    this.status = init.status ?? 200;
    this.statusText = init.statusText ?? "";
    this.headers = new Headers(init.headers);
    this.url = init.url ?? "";
    this.redirected = init.redirected ?? false;
    this.#body = body === undefined || body === null ? "" : (bytesOf(body) ?? toText(body));
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async text(): Promise<string> {
    return this.#text();
  }

  async json(): Promise<unknown> {
    return parseJson(this.#text());
  }

  async bytes(): Promise<Uint8Array> {
    return this.#bytes();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#bytes().buffer;
  }

  clone(): Response {
    if (this.bodyUsed) throw new TypeError("the body was already read");
    return new Response(this.#body, this);
  }

  #take(): string | Uint8Array<ArrayBuffer> {
    if (this.bodyUsed) throw new TypeError("the body was already read");
    this.bodyUsed = true;
    return this.#body;
  }

  #text(): string {
    const body = this.#take();
    return typeof body === "string" ? body : decodeUtf8(body, false);
  }

  #bytes(): Uint8Array<ArrayBuffer> {
    const body = this.#take();
    return typeof body === "string" ? encodeUtf8(body) : copyBytes(body);
  }
}
