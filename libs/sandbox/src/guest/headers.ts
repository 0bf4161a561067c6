import { eachPair, nameOf, pairOf, PairIterator, valueOf } from "./pair-iterator.ts";
import { toText } from "./primordials.ts";
import { requireArguments } from "./require-arguments.ts";
import { webInterface } from "./web-interface.ts";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// oxlint-disable-next-line no-control-regex -- these are the characters that the standard forbids
const VALUE = /^[^\0\r\n\u0100-\uffff]*$/;
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/g;

type Pair = [name: string, value: string];

let freeze: (headers: Headers) => void;

/** A list of header fields; names are in lower case and in order, repeated ones are joined with a comma when read. */
export class Headers {
  static {
    webInterface(this, "Headers");
  }

  #pairs: Pair[] = [];
  /** As they are read; null after a change. */
  #inOrder: Pair[] | null = null;
  #frozen = false;

  static {
    freeze = (headers) => {
      headers.#frozen = true;
    };
  }

  constructor(init?: unknown) {
    if (init === undefined) return;
    if (typeof init !== "object" || init === null)
      throw new TypeError("headers must be an object or a list of pairs");
    if (Symbol.iterator in init) {
      for (const pair of init as Iterable<unknown>) this.#appendPair(pair);
    } else for (const name of Object.keys(init)) this.append(name, (init as Record<string, unknown>)[name]);
  }

  #appendPair(pair: unknown): void {
    const isList = typeof pair === "object" && pair !== null && Symbol.iterator in pair;
    const fields = isList ? [...(pair as Iterable<unknown>)] : [];
    if (fields.length !== 2) throw new TypeError("each header must be a pair of a name and a value");
    this.append(fields[0], fields[1]);
  }

  append(name: unknown, value: unknown): void {
    requireArguments("Headers.append", 2, arguments.length);
    const pair: Pair = [fieldName(name), fieldValue(value)];
    this.#change();
    this.#pairs.push(pair);
  }

  set(name: unknown, value: unknown): void {
    requireArguments("Headers.set", 2, arguments.length);
    const pair: Pair = [fieldName(name), fieldValue(value)];
    this.#change();
    this.#pairs = [...this.#pairs.filter(([other]) => other !== pair[0]), pair];
  }

  delete(name: unknown): void {
    requireArguments("Headers.delete", 1, arguments.length);
    const wanted = fieldName(name);
    this.#change();
    this.#pairs = this.#pairs.filter(([other]) => other !== wanted);
  }

  get(name: unknown): string | null {
    requireArguments("Headers.get", 1, arguments.length);
    const wanted = fieldName(name);
    const values = this.#pairs.filter(([other]) => other === wanted).map(([, value]) => value);
    return values.length > 0 ? values.join(", ") : null;
  }

  has(name: unknown): boolean {
    requireArguments("Headers.has", 1, arguments.length);
    const wanted = fieldName(name);
    return this.#pairs.some(([other]) => other === wanted);
  }

  /** Cookies can hold commas, so they are never joined. */
  getSetCookie(): string[] {
    return this.#pairs.filter(([name]) => name === "set-cookie").map(([, value]) => value);
  }

  forEach(callback: (value: string, name: string, headers: Headers) => void, thisArg?: unknown): void {
    eachPair(this.#sorted, (name, value) => callback.call(thisArg, value, name, this));
  }

  entries(): IteratorObject<Pair> {
    return new PairIterator("Headers", this.#sorted, pairOf);
  }
  keys(): IteratorObject<string> {
    return new PairIterator("Headers", this.#sorted, nameOf);
  }
  values(): IteratorObject<string> {
    return new PairIterator("Headers", this.#sorted, valueOf);
  }
  [Symbol.iterator](): IteratorObject<Pair> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return "Headers";
  }

  #change(): void {
    if (this.#frozen) throw new TypeError("these headers can't be changed");
    this.#inOrder = null;
  }

  readonly #sorted = (): readonly Pair[] => (this.#inOrder ??= this.#sort());

  #sort(): Pair[] {
    const joined = new Map<string, string>();
    const cookies: Pair[] = [];
    for (const [name, value] of this.#pairs) {
      const before = joined.get(name);
      if (name === "set-cookie") cookies.push([name, value]);
      else joined.set(name, before === undefined ? value : `${before}, ${value}`);
    }
    return [...joined, ...cookies].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
  }
}

/** Makes the headers read-only, like those of a response from outside. */
export const freezeHeaders = (headers: Headers): void => freeze(headers);

function fieldName(name: unknown): string {
  const text = toText(name);
  if (!NAME.test(text)) throw new TypeError(`${text.slice(0, 100)} is not the name of a header`);
  return text.toLowerCase();
}

function fieldValue(value: unknown): string {
  const text = toText(value).replace(EDGES, "");
  if (!VALUE.test(text)) throw new TypeError("a header's value has a character that it can't have");
  return text;
}
