import { setTimeout as wait } from "node:timers/promises";
import type { ServerResponse, IncomingMessage } from "node:http";
import {
  ACT_REQUESTS_BYTES_MAX,
  ACT_REQUESTS_MAX,
  HEADER_CHARS_MAX,
  HEADERS_MAX,
  OPEN_REQUESTS_MAX,
  REQUESTS_QUIET_MS,
  REQUESTS_SETTLE_MS_MAX,
  UPLOAD_BYTES_MAX,
  UPLOADS_BYTES_MAX,
  URL_CHARS_MAX,
} from "../bounds.ts";
import type { PageRequest, ToDriver } from "../browser-frames.ts";
import type { Notes } from "./notes.ts";
import { say } from "./wire.ts";

/** They are about the connection to the driver, or the way out sets its own. */
const OURS = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
]);
/** An offer to come by a way that there is none of, and a word that would be taken for the driver's own. */
const NOT_TOLD = new Set(["alt-svc", "proxy-authenticate", "proxy-connection"]);
const PROXY_ASKS = 407;
/** Contradicts itself, so that a page sees a failed request, and Chromium tries no second time. */
const NO_ANSWER = "HTTP/1.1 502 No\r\nContent-Length: 0\r\nContent-Length: 1\r\nConnection: close\r\n\r\n";

type Answer = Extract<ToDriver, { id: number }>;

interface Asked {
  url: string;
  response: ServerResponse;
  uploadBytes: number;
}

/** Sends what pages ask for to the worker, and its answers back; but for the time of an action all of it is refused. */
export class Forward {
  readonly #notes: Notes;
  readonly #asked = new Map<number, Asked>();
  #isOpen = false;
  #last = 0;
  #uploadBytes = 0;
  /** Of this action. */
  #count = 0;
  #saidBytes = 0;

  constructor(notes: Notes) {
    this.#notes = notes;
  }

  open(): void {
    this.#isOpen = true;
    this.#count = 0;
    this.#saidBytes = 0;
  }

  /** Waits for answers that pages still wait for, as far as they come soon: what is broken off, a page may never try again. */
  async settle(): Promise<void> {
    const until = Date.now() + REQUESTS_SETTLE_MS_MAX;
    for (let asked = -1; this.#asked.size > 0 || asked !== this.#last; await wait(REQUESTS_QUIET_MS)) {
      if (Date.now() > until) return;
      asked = this.#last;
    }
  }

  /** Breaks off what is under way; the worker does so too. */
  close(): void {
    this.#isOpen = false;
    for (const { response } of this.#asked.values()) fail(response);
    this.#asked.clear();
    this.#uploadBytes = 0;
  }

  /** The request of a page, by its whole URL. */
  async take(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => response.destroy());
    if (!this.#isOpen || isChromiumsOwn(request.headers)) return fail(response);
    const body = await this.#bodyOf(request);
    const headers = headersOf(request);
    const why = body === null ? TOO_LARGE : this.#whyNot(url, headers, body);
    if (why !== null) return this.#refuse(url, response, why);
    const id = ++this.#last;
    const uploadBytes = body?.length ?? 0;
    this.#asked.set(id, { url, response, uploadBytes });
    this.#uploadBytes += uploadBytes;
    response.on("close", () => {
      if (this.#forget(id)) say({ type: "drop", id });
    });
    const asked: Omit<PageRequest, "type"> = {
      id,
      method: request.method ?? "",
      url,
      headers,
      body: uploadBytes === 0 ? null : (body as Buffer).toString("base64"),
    };
    this.#count += 1;
    this.#saidBytes += say({ type: "request", ...asked });
  }

  /** A message of the worker about one request; it may be over. */
  answer(message: Answer): void {
    const asked = this.#asked.get(message.id);
    if (asked === undefined) return;
    const { response, url } = asked;
    if (message.type === "refused") {
      this.#forget(message.id);
      return this.#refuse(url, response, message.message);
    }
    if (message.type === "answer" && !begin(response, message)) {
      this.#forget(message.id);
      say({ type: "drop", id: message.id });
      return this.#refuse(url, response, "its answer can't be passed on");
    }
    const isTaken = response.write(Buffer.from(message.body, message.bodyEncoding));
    if (message.done) {
      this.#forget(message.id);
      response.end();
    } else if (isTaken) this.#more(message.id);
    else response.once("drain", () => this.#more(message.id));
  }

  #more(id: number): void {
    if (this.#asked.has(id)) say({ type: "more", id });
  }

  #forget(id: number): boolean {
    this.#uploadBytes -= this.#asked.get(id)?.uploadBytes ?? 0;
    return this.#asked.delete(id);
  }

  #refuse(url: string, response: ServerResponse, why: string): void {
    this.#notes.refused(url, why);
    fail(response);
  }

  /** Null where it is over its bound. */
  async #bodyOf(request: IncomingMessage): Promise<Buffer | null> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > UPLOAD_BYTES_MAX) return null;
        chunks.push(chunk);
      }
    } catch {
      // Whoever breaks off in the middle of a request wants no answer.
    }
    return Buffer.concat(chunks);
  }

  #whyNot(url: string, headers: [string, string][], body: Buffer): string | null {
    if (!this.#isOpen) return "the action was over";
    if (url.length > URL_CHARS_MAX) return `its URL has more than ${URL_CHARS_MAX} characters`;
    if (headers.length > HEADERS_MAX || headers.some((pair) => pair.join("").length > HEADER_CHARS_MAX))
      return "its headers are too large";
    if (this.#count >= ACT_REQUESTS_MAX || this.#saidBytes >= ACT_REQUESTS_BYTES_MAX)
      return "its page asks for too much";
    if (this.#asked.size >= OPEN_REQUESTS_MAX) return `${OPEN_REQUESTS_MAX} requests are under way`;
    return this.#uploadBytes + body.length > UPLOADS_BYTES_MAX ? TOO_LARGE : null;
  }
}

const TOO_LARGE = `what it sends is more than ${UPLOAD_BYTES_MAX} bytes`;

/**
 * Whether no page has asked for it, but Chromium for itself: news of its parts, which some builds ask for whatever they are
 * told. A page's requests have another site, and a person's are for a page; a page can't set these headers.
 */
export const isChromiumsOwn = (headers: IncomingMessage["headers"]): boolean =>
  headers["x-goog-update-appid"] !== undefined ||
  (headers["sec-fetch-site"] === "none" && headers["sec-fetch-mode"] !== "navigate");

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (!OURS.has(name) && !name.startsWith("proxy-")) pairs.push([name, rawHeaders[at + 1] ?? ""]);
  }
  return pairs;
}

/** False where the head is none that can be passed on. */
function begin(
  response: ServerResponse,
  { status, statusText, headers }: Extract<Answer, { type: "answer" }>,
): boolean {
  // One that asks for a proxy's password would be taken for the driver's.
  if (status < 200 || status === PROXY_ASKS) return false;
  try {
    response.writeHead(status, statusText, headers.filter(([name]) => !NOT_TOLD.has(name)).flat());
    response.flushHeaders();
    return true;
  } catch {
    return false;
  }
}

/** The page sees a request that failed. */
function fail(response: ServerResponse): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.headersSent) response.destroy();
  else response.socket?.end(NO_ANSWER);
}
