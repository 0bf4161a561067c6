import { nameClass } from "./name-class.ts";
import { toText } from "./primordials.ts";
import { AbortController, followSignal, requireSignal, type AbortSignal } from "./abort.ts";
import { Body, shareBody, takeBody } from "./body.ts";
import { contentOf, type Content } from "./body-content.ts";
import { Headers } from "./headers.ts";
import { URL } from "./url.ts";

const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FORBIDDEN_METHODS: readonly string[] = ["CONNECT", "TRACE", "TRACK"];
/** The standard leaves the others as they are written. */
const NORMALIZED_METHODS: readonly string[] = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];
const REDIRECTS = ["follow", "error", "manual"] as const;
type Redirect = (typeof REDIRECTS)[number];

/** What of the standard's options means something here; the others are ignored. */
export interface RequestInit {
  method?: unknown;
  headers?: unknown;
  body?: unknown;
  redirect?: unknown;
  signal?: unknown;
}

class Made {
  content: Content | null = null;
  headers = new Headers();
  method = "GET";
  url = "";
  redirect: Redirect = "follow";
  signal: AbortSignal = new AbortController().signal;
}

/** What to ask for; `fetch` takes one as it takes a URL. */
export class Request extends Body {
  static {
    nameClass(this, "Request");
  }

  readonly #made: Made;

  constructor(input: unknown, init: RequestInit = {}) {
    const made = input instanceof Made ? input : makeRequest(input, init);
    super(made.content, made.headers);
    this.#made = made;
  }

  get method(): string {
    return this.#made.method;
  }
  get url(): string {
    return this.#made.url;
  }
  get redirect(): Redirect {
    return this.#made.redirect;
  }
  get signal(): AbortSignal {
    return this.#made.signal;
  }
  clone(): Request {
    const content = shareBody(this);
    const headers = new Headers(this.headers);
    const signal = dependent(this.signal);
    return new Request(Object.assign(new Made(), this.#made, { content, headers, signal }));
  }
  get [Symbol.toStringTag](): string {
    return "Request";
  }
}

function makeRequest(input: unknown, init: RequestInit): Made {
  const from = input instanceof Request ? input : null;
  const made = new Made();
  made.url = from ? from.url : urlOf(input);
  made.method = init.method === undefined ? (from?.method ?? "GET") : methodOf(init.method);
  made.redirect = init.redirect === undefined ? (from?.redirect ?? "follow") : redirectOf(init.redirect);
  made.headers = new Headers(init.headers === undefined ? from?.headers : init.headers);
  const signal = init.signal === undefined ? from?.signal : init.signal;
  if (signal !== undefined && signal !== null) made.signal = dependent(requireSignal(signal));
  const hasBody = init.body !== undefined && init.body !== null;
  if ((made.method === "GET" || made.method === "HEAD") && (hasBody || (from?.body ?? null) !== null))
    throw new TypeError(`a ${made.method} request has no body`);
  if (hasBody) {
    const { content, type } = contentOf(init.body);
    made.content = content;
    if (type !== null && !made.headers.has("content-type")) made.headers.set("content-type", type);
  } else if (from) made.content = takeBody(from);
  return made;
}

function dependent(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else followSignal(signal, (reason) => controller.abort(reason));
  return controller.signal;
}

function urlOf(input: unknown): string {
  const url = input instanceof URL ? input : URL.parse(toText(input));
  if (url === null) throw new TypeError("the URL is not valid: it must be absolute");
  if (url.username !== "" || url.password !== "")
    throw new TypeError("the URL holds credentials: send an Authorization header instead");
  return url.href;
}

function methodOf(value: unknown): string {
  const method = toText(value);
  const upper = method.toUpperCase();
  if (!METHOD.test(method) || FORBIDDEN_METHODS.includes(upper))
    throw new TypeError("that method can't be used");
  return NORMALIZED_METHODS.includes(upper) ? upper : method;
}

function redirectOf(value: unknown): Redirect {
  const redirect = REDIRECTS.find((one) => one === value);
  if (redirect === undefined) throw new TypeError(`redirect must be one of ${REDIRECTS.join(", ")}`);
  return redirect;
}
