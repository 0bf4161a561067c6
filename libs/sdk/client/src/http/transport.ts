import { BulkheadError } from "../errors.ts";
import { REQUEST_MS_DEFAULT, RETRIES_DEFAULT, type AnyOptions, type ClientOptions } from "../options.ts";
import { errorOf } from "./answer.ts";
import { retrying } from "./retry.ts";

/** The package's version. */
export const VERSION = "0.1.0";

/** A page, or a worker of one. */
const IS_BROWSER = "document" in globalThis || "importScripts" in globalThis;

/** The longest that timers wait; milliseconds. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** One call, as a method makes it. */
export interface Call {
  verb: string;
  /** From the root of the API, with its query. */
  path: string;
  body?: unknown;
  /** Of bytes that are no zip. */
  bodyType?: string;
  options: AnyOptions;
  /** Whether it takes an Idempotency-Key, so that it is done once however often it is sent. */
  isOnce?: boolean;
  /** Whether its answer is a stream, which its signal ends also later. */
  isOpen?: boolean;
  /** Whether it waits for an end that comes when it comes: its time-out is then no failure, and its caller's to judge. */
  isWaiting?: boolean;
  accept?: string;
}

export type Read<T> = (response: Response) => Promise<T>;

/** Makes requests with one key: each with a time-out, and again where that may help. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #base: string;

  /** Throws a TypeError or RangeError that names the option at fault. */
  constructor(options: ClientOptions) {
    const { url, requestTimeoutMs = REQUEST_MS_DEFAULT, retries = RETRIES_DEFAULT } = options;
    if (!URL.canParse(url) || !/^https?:/i.test(String(url)))
      throw new TypeError(`url must be a whole address with http or https, not ${String(url)}`);
    checkNumbers({ requestTimeoutMs, retries });
    const { origin, pathname } = new URL(url);
    this.#base = origin + pathname.replace(/(\/api\/v1)?\/*$/, "");
    this.#options = options;
  }

  async send<T>(call: Call, read: Read<T>): Promise<T> {
    const { signal, retries = this.#options.retries ?? RETRIES_DEFAULT, ifMatch, ifNoneMatch } = call.options;
    checkNumbers(call.options);
    const isConditional = ifMatch !== undefined || ifNoneMatch !== undefined;
    // What was done already would not be as the condition says.
    const isRepeatable = (call.isOnce ?? false) || (call.verb !== "POST" && !isConditional);
    const idempotencyKey = call.options.idempotencyKey ?? newKey();
    const once = { ...call, options: { ...call.options, idempotencyKey } };
    return await retrying(() => this.tryOnce(once, read), {
      retries,
      isRepeatable,
      signal,
    });
  }

  /** One request; rejects with a BulkheadError, or with the reason of the signal that ended it. */
  async tryOnce<T>(call: Call, read: Read<T>): Promise<T> {
    const { verb, path, options, isOpen = false } = call;
    const {
      signal,
      onResponse,
      requestTimeoutMs = this.#options.requestTimeoutMs ?? REQUEST_MS_DEFAULT,
    } = options;
    const headers = await this.#headersOf(call);
    const body = bodyOf(call.body);
    signal?.throwIfAborted();
    const controller = new AbortController();
    const leave = (): void => controller.abort(signal?.reason);
    signal?.addEventListener("abort", leave);
    const forget = (): void => signal?.removeEventListener("abort", leave);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      controller.abort();
    }, requestTimeoutMs);
    const broken = (cause: unknown): unknown => {
      if (signal?.aborted) return signal.reason;
      if (cause instanceof BulkheadError && !isLate) return cause;
      return isLate ? tookTooLong(call, requestTimeoutMs) : unreachable(call, this.#base, cause);
    };
    let hasToStay = false;
    try {
      const request = { method: verb, headers, signal: controller.signal, redirect: "manual" } as const;
      const response = await (this.#options.fetch ?? fetch)(
        this.#base + path,
        body === undefined ? request : { ...request, body },
      ).catch((error: unknown) => {
        throw broken(error);
      });
      onResponse?.(response);
      const heard = isOpen && signal && response.ok ? withEnd(response, forget) : response;
      const answer = await (response.ok ? read(heard) : failed(response)).catch((error: unknown) => {
        throw broken(error);
      });
      hasToStay = heard !== response && heard.body !== null;
      return answer;
    } finally {
      clearTimeout(timer);
      if (!hasToStay) forget();
    }
  }

  async #headersOf(call: Call): Promise<Headers> {
    const { verb, body, options, isOnce, accept = "application/json" } = call;
    const own = this.#options;
    const key = typeof own.key === "function" ? await own.key() : own.key;
    const said: Record<string, string | undefined> = {
      accept,
      "content-type": call.bodyType ?? typeOfBody(body),
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      // Without a key a browser's cookie speaks; then a write says that a page meant it.
      "x-bulkhead-session": key === undefined && verb !== "GET" ? "1" : undefined,
      "idempotency-key": isOnce ? options.idempotencyKey : undefined,
      "if-match": options.ifMatch,
      "if-none-match": options.ifNoneMatch,
      "last-event-id": options.lastEventId,
      "bulkhead-provider": options.provider ?? own.provider,
      "bulkhead-group": options.group ?? own.group,
      "bulkhead-user": options.user ?? own.user,
      // Browsers name themselves, and a page on another host would have to ask first.
      "user-agent": IS_BROWSER ? undefined : (own.userAgent ?? `bulkhead-client/${VERSION}`),
      ...own.headers,
      ...options.headers,
    };
    const headers = new Headers();
    for (const [name, value] of Object.entries(said)) if (value !== undefined) headers.set(name, value);
    return headers;
  }
}

/** The answer, which tells when its body has been read, broke or is given up. */
function withEnd(response: Response, onEnd: () => void): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
        } catch (error) {
          onEnd();
          throw error;
        }
        onEnd();
        controller.close();
      },
      cancel(reason) {
        onEnd();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}

async function failed(response: Response): Promise<never> {
  throw await errorOf(response);
}

/** A key of a call's own; visible ASCII. */
export const newKey = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> | ArrayBuffer | Blob =>
  body instanceof Uint8Array || body instanceof ArrayBuffer || body instanceof Blob;

const bodyOf = (body: unknown) => (body === undefined || isBytes(body) ? body : JSON.stringify(body));

const typeOfBody = (body: unknown): string | undefined => {
  if (body === undefined) return undefined;
  return isBytes(body) ? "application/zip" : "application/json";
};

function checkNumbers({
  requestTimeoutMs = 1,
  retries = 0,
}: Pick<ClientOptions, "requestTimeoutMs" | "retries">): void {
  if (!(requestTimeoutMs > 0 && requestTimeoutMs <= TIMER_MS_MAX))
    throw new RangeError(`requestTimeoutMs must be more than 0 and at most ${TIMER_MS_MAX}`);
  if (!Number.isInteger(retries) || retries < 0)
    throw new RangeError("retries must be a whole number from 0 on");
}

const tookTooLong = ({ verb, path, isWaiting = false }: Call, ms: number): BulkheadError =>
  new BulkheadError({
    code: "client.timed_out",
    message: `${verb} ${pathOnly(path)} took longer than ${ms} ms.`,
    retryable: !isWaiting,
  });

const unreachable = ({ verb, path }: Call, base: string, cause: unknown): BulkheadError =>
  new BulkheadError({
    code: "client.unreachable",
    message: `${verb} ${base}${pathOnly(path)} had no whole answer: ${wordsOf(cause)}.`,
    retryable: true,
    cause,
  });

/** A query may hold what is nobody's to read in a log. */
const pathOnly = (path: string): string => path.split("?", 1)[0] ?? path;

/** Node's `fetch` says only why it failed in the cause of its error. */
const wordsOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error && cause.cause.message ? cause.cause.message : cause.message;
};
