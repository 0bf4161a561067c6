import { nameClass } from "./name-class.ts";
import { ask } from "./bridge.ts";
import { parseJson, stringifyJson, toText } from "./primordials.ts";

type Pair = [name: string, value: string];
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

export class URLSearchParams {
  static {
    nameClass(this, "URLSearchParams");
  }

  #pairs: Pair[] = [];
  #changed: ((search: string) => void) | null = null;

  constructor(init: unknown = "") {
    if (init === null || typeof init !== "object") this.#read(toText(init));
    else if (Symbol.iterator in init) {
      for (const pair of init as Iterable<unknown>) this.#pairs.push(pairOf(pair));
    } else
      for (const name of Object.keys(init)) {
        this.#pairs.push([textOf(name), textOf((init as Record<string, unknown>)[name])]);
      }
  }

  #read(text: string): void {
    this.#pairs = parseJson(ask("query.parse", text, "")) as Pair[];
  }
  #write(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#changed?.(this.toString());
  }
  /** For URL only: its query follows these parameters, and they follow its query. */
  static _link(params: URLSearchParams, changed: (search: string) => void): void {
    params.#changed = changed;
  }
  static _reread(params: URLSearchParams, search: string): void {
    params.#read(search);
  }

  get size(): number {
    return this.#pairs.length;
  }
  append(name: unknown, value: unknown): void {
    this.#pairs.push([textOf(name), textOf(value)]);
    this.#write(this.#pairs);
  }
  delete(name: unknown, value?: unknown): void {
    const isMeant = meaning(name, value);
    this.#write(this.#pairs.filter((pair) => !isMeant(pair)));
  }
  get(name: unknown): string | null {
    return this.#pairs.find(meaning(name))?.[1] ?? null;
  }
  getAll(name: unknown): string[] {
    return this.#pairs.filter(meaning(name)).map((pair) => pair[1]);
  }
  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some(meaning(name, value));
  }
  /** Takes the place of the first of that name. */
  set(name: unknown, value: unknown): void {
    const isMeant = meaning(name);
    const at = this.#pairs.findIndex(isMeant);
    if (at < 0) return this.append(name, value);
    const pairs = this.#pairs.filter((pair, index) => index <= at || !isMeant(pair));
    pairs[at] = [textOf(name), textOf(value)];
    this.#write(pairs);
  }
  sort(): void {
    this.#write(this.#pairs.toSorted((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0)));
  }
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void, thisArg?: unknown): void {
    this.#pairs.forEach((pair) => callback.call(thisArg, pair[1], pair[0], this));
  }
  *entries(): Generator<Pair> {
    for (const pair of this.#pairs) yield [pair[0], pair[1]];
  }
  *keys(): Generator<string> {
    for (const pair of this.#pairs) yield pair[0];
  }
  *values(): Generator<string> {
    for (const pair of this.#pairs) yield pair[1];
  }
  [Symbol.iterator](): Generator<Pair> {
    return this.entries();
  }
  toString(): string {
    return ask("query.write", stringifyJson(this.#pairs), "");
  }
  get [Symbol.toStringTag](): string {
    return "URLSearchParams";
  }
}

const textOf = (value: unknown): string => toText(value).toWellFormed();

function pairOf(pair: unknown): Pair {
  const fields = typeof pair === "object" && pair !== null && Symbol.iterator in pair ? pair : [];
  const [name, value, ...more] = fields as Iterable<unknown>;
  if (value === undefined || more.length > 0)
    throw new TypeError("each parameter must be a pair of a name and a value");
  return [textOf(name), textOf(value)];
}

function meaning(name: unknown, value?: unknown): (pair: Pair) => boolean {
  const wanted = textOf(name);
  const wantedValue = value === undefined ? null : textOf(value);
  return (pair) => pair[0] === wanted && (wantedValue === null || pair[1] === wantedValue);
}

export class URL {
  static {
    nameClass(this, "URL");
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
