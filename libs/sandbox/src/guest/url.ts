import { webInterface } from "./web-interface.ts";
import { ask } from "./bridge.ts";
import { parseJson, stringifyJson, toText } from "./primordials.ts";
import { URLSearchParams } from "./url-search-params.ts";

type Part =
  | "href"
  | "origin"
  | "protocol"
  | "username"
  | "password"
  | "host"
  | "hostname"
  | "port"
  | "pathname"
  | "search"
  | "hash";
type Parts = Record<Part, string>;

/** Host side parsing: the rules for URLs are long, and Node has them. Null where the text is no URL. */
function askParts(operation: string, request: unknown): Parts | null {
  return parseJson(ask(operation, stringifyJson(request), "")) as Parts | null;
}

export class URL {
  static {
    webInterface(this, "URL");
  }

  #parts: Parts;
  #params: URLSearchParams | null = null;

  constructor(url: unknown, base?: unknown) {
    const parts = URL.#parse(url, base);
    if (parts === null) throw new TypeError("Invalid URL");
    this.#parts = parts;
  }

  static #parse(url: unknown, base: unknown): Parts | null {
    return askParts("url.parse", base === undefined ? [toText(url)] : [toText(url), toText(base)]);
  }
  static canParse(url: unknown, base?: unknown): boolean {
    return URL.#parse(url, base) !== null;
  }
  static parse(url: unknown, base?: unknown): URL | null {
    const parts = URL.#parse(url, base);
    return parts === null ? null : new URL(parts.href);
  }

  #set(part: Part, value: unknown): void {
    const parts = askParts("url.set", [this.#parts.href, part, toText(value)]);
    if (parts === null) throw new TypeError("Invalid URL");
    this.#parts = parts;
    if (this.#params !== null && part !== "hash") URLSearchParams._reread(this.#params, parts.search);
  }

  get searchParams(): URLSearchParams {
    if (this.#params === null) {
      this.#params = new URLSearchParams(this.#parts.search);
      URLSearchParams._link(this.#params, (search) => {
        this.#parts = askParts("url.set", [this.#parts.href, "search", search]) ?? this.#parts;
      });
    }
    return this.#params;
  }

  get origin(): string {
    return this.#parts.origin;
  }
  get href(): string {
    return this.#parts.href;
  }
  set href(value: unknown) {
    this.#set("href", value);
  }
  get protocol(): string {
    return this.#parts.protocol;
  }
  set protocol(value: unknown) {
    this.#set("protocol", value);
  }
  get username(): string {
    return this.#parts.username;
  }
  set username(value: unknown) {
    this.#set("username", value);
  }
  get password(): string {
    return this.#parts.password;
  }
  set password(value: unknown) {
    this.#set("password", value);
  }
  get host(): string {
    return this.#parts.host;
  }
  set host(value: unknown) {
    this.#set("host", value);
  }
  get hostname(): string {
    return this.#parts.hostname;
  }
  set hostname(value: unknown) {
    this.#set("hostname", value);
  }
  get port(): string {
    return this.#parts.port;
  }
  set port(value: unknown) {
    this.#set("port", value);
  }
  get pathname(): string {
    return this.#parts.pathname;
  }
  set pathname(value: unknown) {
    this.#set("pathname", value);
  }
  get search(): string {
    return this.#parts.search;
  }
  set search(value: unknown) {
    this.#set("search", value);
  }
  get hash(): string {
    return this.#parts.hash;
  }
  set hash(value: unknown) {
    this.#set("hash", value);
  }
  toString(): string {
    return this.#parts.href;
  }
  toJSON(): string {
    return this.#parts.href;
  }
  get [Symbol.toStringTag](): string {
    return "URL";
  }
}
