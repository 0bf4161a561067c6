import { shareMembers, webInterface } from "./web-interface.ts";
import { toText } from "./primordials.ts";
import { AbortController, dependentOn, requireSignal, type AbortSignal } from "./abort.ts";
import { Body, shareBody, takeBody } from "./body.ts";
import { contentOf, type Content } from "./body-content.ts";
import { dictionary } from "./dictionary.ts";
import { Headers } from "./headers.ts";
import { requireArguments } from "./require-arguments.ts";
import { DEFAULTS, readSettings, type RequestSettings, type SettingsInit } from "./request-settings.ts";
import { URL } from "./url.ts";

const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FORBIDDEN_METHODS: readonly string[] = ["CONNECT", "TRACE", "TRACK"];
/** The standard leaves the others as they are written. */
const NORMALIZED_METHODS: readonly string[] = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"];

/** Of the settings only `redirect` has an effect here; the others are kept, and can be read. */
export interface RequestInit extends SettingsInit {
  method?: unknown;
  headers?: unknown;
  body?: unknown;
  signal?: unknown;
}

class Made {
  content: Content | null = null;
  headers = new Headers();
  method = "GET";
  url = "";
  settings: RequestSettings = DEFAULTS;
  signal: AbortSignal = new AbortController().signal;
}

/** A request; `fetch` takes one as it takes a URL. */
export class Request extends Body {
  static {
    webInterface(this, "Request");
    shareMembers(Body, this);
  }

  readonly #made: Made;

  constructor(input: unknown, init?: RequestInit | null) {
    requireArguments("new Request", 1, arguments.length);
    const made = input instanceof Made ? input : makeRequest(input, dictionary(init));
    super(made.content, made.headers);
    this.#made = made;
  }

  get method(): string {
    return this.#made.method;
  }
  get url(): string {
    return this.#made.url;
  }
  get redirect(): RequestSettings["redirect"] {
    return this.#made.settings.redirect;
  }
  get mode(): RequestSettings["mode"] {
    return this.#made.settings.mode;
  }
  get credentials(): RequestSettings["credentials"] {
    return this.#made.settings.credentials;
  }
  get cache(): RequestSettings["cache"] {
    return this.#made.settings.cache;
  }
  get referrer(): string {
    return this.#made.settings.referrer;
  }
  get referrerPolicy(): RequestSettings["referrerPolicy"] {
    return this.#made.settings.referrerPolicy;
  }
  get integrity(): string {
    return this.#made.settings.integrity;
  }
  get keepalive(): boolean {
    return this.#made.settings.keepalive;
  }
  get destination(): string {
    return "";
  }
  get duplex(): string {
    return "half";
  }
  get isReloadNavigation(): boolean {
    return false;
  }
  get isHistoryNavigation(): boolean {
    return false;
  }
  get signal(): AbortSignal {
    return this.#made.signal;
  }
  clone(): Request {
    const content = shareBody(this);
    const headers = new Headers(this.headers);
    const signal = dependentOn([this.signal]);
    return new Request(Object.assign(new Made(), this.#made, { content, headers, signal }));
  }
  get [Symbol.toStringTag](): string {
    return "Request";
  }
}

/** The request of a `fetch`. The broker refuses credentials in its URL, like any attempt to bypass it. */
export const requestOf = (input: unknown, init: RequestInit): Request =>
  new Request(makeRequest(input, init, anyUrl));

function makeRequest(input: unknown, init: RequestInit, readUrl: (input: unknown) => URL = plainUrl): Made {
  const from = input instanceof Request ? input : null;
  const made = new Made();
  made.url = from ? from.url : readUrl(input).href;
  made.method = init.method === undefined ? (from?.method ?? "GET") : methodOf(init.method);
  made.settings = readSettings(init, from ?? DEFAULTS);
  made.headers = new Headers(init.headers === undefined ? from?.headers : init.headers);
  const signal = init.signal === undefined ? from?.signal : init.signal;
  if (signal !== undefined && signal !== null) made.signal = dependentOn([requireSignal(signal)]);
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

function anyUrl(input: unknown): URL {
  const url = input instanceof URL ? input : URL.parse(toText(input));
  if (url === null) throw new TypeError("the URL is not valid: it must be absolute");
  return url;
}

function plainUrl(input: unknown): URL {
  const url = anyUrl(input);
  if (url.username !== "" || url.password !== "")
    throw new TypeError("the URL holds credentials: send an Authorization header instead");
  return url;
}

function methodOf(value: unknown): string {
  const method = toText(value);
  const upper = method.toUpperCase();
  if (!METHOD.test(method) || FORBIDDEN_METHODS.includes(upper))
    throw new TypeError("that method can't be used");
  return NORMALIZED_METHODS.includes(upper) ? upper : method;
}
