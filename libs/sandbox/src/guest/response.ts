import { shareMembers, webInterface } from "./web-interface.ts";
import { stringifyJson, toText } from "./primordials.ts";
import { Body, shareBody } from "./body.ts";
import { contentOf, type Content } from "./body-content.ts";
import { dictionary } from "./dictionary.ts";
import { requireArguments } from "./require-arguments.ts";
import { freezeHeaders, Headers } from "./headers.ts";
import { URL } from "./url.ts";

/** The form in which a response leaves. */
export interface ResponseForm {
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** A response and where it leaves; its body is read into the form later. */
export interface ReadResponse {
  response: Response;
  form: ResponseForm;
  path: string;
}

const NULL_BODY_STATUSES: readonly number[] = [101, 204, 205, 304];
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const REASON = /^[\t\x20-\x7e\x80-\xff]*$/;

interface ResponseInit {
  status?: unknown;
  statusText?: unknown;
  headers?: unknown;
}

/** All fields of a response, for those that this file makes itself; no tool can make one. */
class Made {
  content: Content | null = null;
  headers = new Headers();
  status = 200;
  statusText = "";
  url = "";
  redirected = false;
  type: "default" | "basic" | "error" = "default";
}

export class Response extends Body {
  static {
    webInterface(this, "Response");
    shareMembers(Body, this);
  }

  readonly #made: Made;

  constructor(body: unknown = null, init?: ResponseInit | null) {
    const made = body instanceof Made ? body : makeResponse(body, dictionary(init));
    super(made.content, made.headers);
    this.#made = made;
  }

  static json(data: unknown, given?: ResponseInit | null): Response {
    requireArguments("Response.json", 1, arguments.length);
    const text = stringifyJson(data);
    if (text === undefined) throw new TypeError("the data can't be JSON");
    const init = dictionary(given);
    const headers = new Headers(init.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(text, { ...init, headers });
  }
  static error(): Response {
    const made = Object.assign(new Made(), { status: 0, type: "error" });
    freezeHeaders(made.headers);
    return new Response(made);
  }
  static redirect(url: unknown, status: unknown = 302): Response {
    const location = new URL(url).href;
    if (!REDIRECTS.includes(Number(status))) throw new RangeError("that is not the status of a redirect");
    const made = Object.assign(new Made(), { status: Number(status), headers: new Headers({ location }) });
    freezeHeaders(made.headers);
    return new Response(made);
  }

  get status(): number {
    return this.#made.status;
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  get statusText(): string {
    return this.#made.statusText;
  }
  get url(): string {
    return this.#made.url;
  }
  get redirected(): boolean {
    return this.#made.redirected;
  }
  get type(): string {
    return this.#made.type;
  }
  clone(): Response {
    const content = shareBody(this);
    const headers = new Headers(this.headers);
    return new Response(Object.assign(new Made(), this.#made, { content, headers }));
  }
  get [Symbol.toStringTag](): string {
    return "Response";
  }
}

function makeResponse(body: unknown, init: ResponseInit): Made {
  const status = init.status === undefined ? 200 : Math.trunc(Number(init.status));
  if (!(status >= 200 && status <= 599)) throw new RangeError("the status must be from 200 to 599");
  const statusText = init.statusText === undefined ? "" : toText(init.statusText);
  if (!REASON.test(statusText)) throw new TypeError("the statusText has a character that it can't have");
  const headers = new Headers(init.headers);
  const { content, type } = contentOf(body);
  if (content !== null && NULL_BODY_STATUSES.includes(status))
    throw new TypeError(`a response with status ${status} has no body`);
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  return Object.assign(new Made(), { content, headers, status, statusText });
}

/** The head of a response from outside. */
export interface ResponseHead {
  status: number;
  statusText: string;
  headers: [string, string][];
  url: string;
  redirected: boolean;
}

/** A response from outside; the statuses that have no body have none here either. */
export function responseFrom({ headers: pairs, ...head }: ResponseHead, content: Content | null): Response {
  const headers = new Headers(pairs);
  freezeHeaders(headers);
  const held = NULL_BODY_STATUSES.includes(head.status) ? null : content;
  return new Response(Object.assign(new Made(), { ...head, headers, content: held, type: "basic" }));
}
