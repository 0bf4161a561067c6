import { webInterface } from "./web-interface.ts";
import { ask } from "./bridge.ts";
import { eachPair, nameOf, pairOf, PairIterator, valueOf } from "./pair-iterator.ts";
import { parseJson, stringifyJson, toText } from "./primordials.ts";
import { requireArguments } from "./require-arguments.ts";

type Pair = [name: string, value: string];

export class URLSearchParams {
  static {
    webInterface(this, "URLSearchParams");
  }

  #pairs: Pair[] = [];
  #changed: ((search: string) => void) | null = null;
  readonly #now = (): readonly Pair[] => this.#pairs;

  constructor(init: unknown = "") {
    if (init === null || typeof init !== "object") this.#read(toText(init));
    else if (Symbol.iterator in init) {
      for (const pair of init as Iterable<unknown>) this.#pairs.push(takePair(pair));
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
    requireArguments("URLSearchParams.append", 2, arguments.length);
    this.#pairs.push([textOf(name), textOf(value)]);
    this.#write(this.#pairs);
  }
  delete(name: unknown, value?: unknown): void {
    requireArguments("URLSearchParams.delete", 1, arguments.length);
    const isMeant = meaning(name, value);
    this.#write(this.#pairs.filter((pair) => !isMeant(pair)));
  }
  get(name: unknown): string | null {
    requireArguments("URLSearchParams.get", 1, arguments.length);
    return this.#pairs.find(meaning(name))?.[1] ?? null;
  }
  getAll(name: unknown): string[] {
    requireArguments("URLSearchParams.getAll", 1, arguments.length);
    return this.#pairs.filter(meaning(name)).map((pair) => pair[1]);
  }
  has(name: unknown, value?: unknown): boolean {
    requireArguments("URLSearchParams.has", 1, arguments.length);
    return this.#pairs.some(meaning(name, value));
  }
  /** Takes the place of the first of that name. */
  set(name: unknown, value: unknown): void {
    requireArguments("URLSearchParams.set", 2, arguments.length);
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
    eachPair(this.#now, (name, value) => callback.call(thisArg, value, name, this));
  }
  entries(): IteratorObject<Pair> {
    return new PairIterator("URLSearchParams", this.#now, pairOf);
  }
  keys(): IteratorObject<string> {
    return new PairIterator("URLSearchParams", this.#now, nameOf);
  }
  values(): IteratorObject<string> {
    return new PairIterator("URLSearchParams", this.#now, valueOf);
  }
  [Symbol.iterator](): IteratorObject<Pair> {
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

function takePair(pair: unknown): Pair {
  const isList = typeof pair === "object" && pair !== null && Symbol.iterator in pair;
  const fields = isList ? [...(pair as Iterable<unknown>)] : [];
  if (fields.length !== 2) throw new TypeError("each parameter must be a pair of a name and a value");
  return [textOf(fields[0]), textOf(fields[1])];
}

function meaning(name: unknown, value?: unknown): (pair: Pair) => boolean {
  const wanted = textOf(name);
  const wantedValue = value === undefined ? null : textOf(value);
  return (pair) => pair[0] === wanted && (wantedValue === null || pair[1] === wantedValue);
}
