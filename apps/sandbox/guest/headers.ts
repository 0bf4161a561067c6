import { indexOf, isArray, join, matchOf, push, toLowerCase, toText, trim } from "./primordials.ts";

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const BAD_IN_VALUES = ["\0", "\r", "\n"];

type Pair = [name: string, value: string];

/** A list of header fields; names are kept in lower case, repeated ones are joined with a comma when read. */
export class Headers {
  #pairs: Pair[] = [];

  constructor(init?: unknown) {
    if (init === undefined || init === null) return;
    if (init instanceof Headers) init.forEach((value, name) => this.append(name, value));
    else if (isArray(init)) {
      for (let i = 0; i < init.length; i++) {
        const pair = init[i] as unknown[];
        this.append(pair[0], pair[1]);
      }
    } else {
      const fields = init as Record<string, unknown>;
      for (const name in fields) this.append(name, fields[name]);
    }
  }

  append(name: unknown, value: unknown): void {
    push(this.#pairs, [fieldName(name), fieldValue(value)]);
  }

  set(name: unknown, value: unknown): void {
    this.delete(name);
    this.append(name, value);
  }

  delete(name: unknown): void {
    const wanted = fieldName(name);
    const kept: Pair[] = [];
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i] as Pair;
      if (pair[0] !== wanted) push(kept, pair);
    }
    this.#pairs = kept;
  }

  get(name: unknown): string | null {
    const wanted = fieldName(name);
    const values: string[] = [];
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i] as Pair;
      if (pair[0] === wanted) push(values, pair[1]);
    }
    return values.length > 0 ? join(values, ", ") : null;
  }

  has(name: unknown): boolean {
    return this.get(name) !== null;
  }

  getSetCookie(): string[] {
    const values: string[] = [];
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i] as Pair;
      if (pair[0] === "set-cookie") push(values, pair[1]);
    }
    return values;
  }

  forEach(callback: (value: string, name: string, headers: Headers) => void): void {
    const pairs = this.#pairs;
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i] as Pair;
      callback(pair[1], pair[0], this);
    }
  }

  *entries(): Generator<Pair> {
    const pairs = this.#pairs;
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i] as Pair;
      yield [pair[0], pair[1]];
    }
  }
  *keys(): Generator<string> {
    const pairs = this.#pairs;
    for (let i = 0; i < pairs.length; i++) yield (pairs[i] as Pair)[0];
  }
  *values(): Generator<string> {
    const pairs = this.#pairs;
    for (let i = 0; i < pairs.length; i++) yield (pairs[i] as Pair)[1];
  }
  [Symbol.iterator](): Generator<Pair> {
    return this.entries();
  }
}

function fieldName(name: unknown): string {
  const text = toText(name);
  if (matchOf(NAME, text) === null) throw new TypeError(`${text} is not the name of a header`);
  return toLowerCase(text);
}

function fieldValue(value: unknown): string {
  const text = trim(toText(value));
  for (let i = 0; i < BAD_IN_VALUES.length; i++) {
    if (indexOf(text, BAD_IN_VALUES[i] as string) < 0) continue;
    throw new TypeError("a header's value has a line break in it");
  }
  return text;
}
