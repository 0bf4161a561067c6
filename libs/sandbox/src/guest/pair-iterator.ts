/** The pairs as they are at this step of the iteration. */
type Pairs<Value> = () => readonly (readonly [name: string, value: Value])[];

/**
 * The standard's iterator of Headers, URLSearchParams and FormData. Each step reads the present pairs, so a loop sees its
 * own changes; it has no `return`, so a loop that was left can be continued.
 */
export class PairIterator<Value, Item> extends Iterator<Item> {
  static {
    // Nobody else makes one, as in the standard.
    Reflect.deleteProperty(this.prototype, "constructor");
  }

  readonly #tag: string;
  readonly #pairs: Pairs<Value>;
  readonly #itemOf: (name: string, value: Value) => Item;
  #at = 0;

  constructor(tag: string, pairs: Pairs<Value>, itemOf: (name: string, value: Value) => Item) {
    super();
    this.#tag = tag;
    this.#pairs = pairs;
    this.#itemOf = itemOf;
  }

  override next(): IteratorResult<Item, undefined> {
    const pair = this.#pairs()[this.#at];
    if (pair === undefined) return { value: undefined, done: true };
    this.#at++;
    return { value: this.#itemOf(pair[0], pair[1]), done: false };
  }
  override get [Symbol.toStringTag](): string {
    return `${this.#tag} Iterator`;
  }
}

/** The standard's `forEach`; it sees the callback's changes. */
export function eachPair<Value>(pairs: Pairs<Value>, visit: (name: string, value: Value) => void): void {
  for (let at = 0, pair = pairs()[0]; pair !== undefined; pair = pairs()[++at]) visit(pair[0], pair[1]);
}

export const pairOf = <Value>(name: string, value: Value): [string, Value] => [name, value];
export const nameOf = (name: string): string => name;
export const valueOf = <Value>(_: string, value: Value): Value => value;
