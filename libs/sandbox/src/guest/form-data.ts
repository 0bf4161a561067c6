import { eachPair, nameOf, pairOf, PairIterator, valueOf } from "./pair-iterator.ts";
import { toText } from "./primordials.ts";
import { Blob, File } from "./blob.ts";
import { requireArguments } from "./require-arguments.ts";
import { webInterface } from "./web-interface.ts";

type Value = string | File;
type Entry = [name: string, value: Value];

/** The fields of a form, files among them, in the order in which they were added. */
export class FormData {
  static {
    webInterface(this, "FormData");
  }

  #entries: Entry[] = [];
  readonly #now = (): readonly Entry[] => this.#entries;

  constructor(form?: unknown) {
    if (form !== undefined) throw new TypeError("FormData takes no form here");
  }

  append(name: unknown, value: unknown, filename?: unknown): void {
    requireArguments("FormData.append", 2, arguments.length);
    this.#entries.push(entryOf(name, value, filename, arguments.length));
  }
  /** Takes the place of the first of that name. */
  set(name: unknown, value: unknown, filename?: unknown): void {
    requireArguments("FormData.set", 2, arguments.length);
    const entry = entryOf(name, value, filename, arguments.length);
    const at = this.#entries.findIndex(([other]) => other === entry[0]);
    if (at < 0) this.#entries.push(entry);
    else {
      this.#entries = this.#entries.filter(([other], index) => index <= at || other !== entry[0]);
      this.#entries[at] = entry;
    }
  }
  delete(name: unknown): void {
    requireArguments("FormData.delete", 1, arguments.length);
    const wanted = toText(name);
    this.#entries = this.#entries.filter(([other]) => other !== wanted);
  }
  get(name: unknown): Value | null {
    requireArguments("FormData.get", 1, arguments.length);
    return this.getAll(name)[0] ?? null;
  }
  getAll(name: unknown): Value[] {
    requireArguments("FormData.getAll", 1, arguments.length);
    const wanted = toText(name);
    return this.#entries.filter(([other]) => other === wanted).map(([, value]) => value);
  }
  has(name: unknown): boolean {
    requireArguments("FormData.has", 1, arguments.length);
    return this.getAll(name).length > 0;
  }
  forEach(callback: (value: Value, name: string, form: FormData) => void, thisArg?: unknown): void {
    eachPair(this.#now, (name, value) => callback.call(thisArg, value, name, this));
  }
  entries(): IteratorObject<Entry> {
    return new PairIterator("FormData", this.#now, pairOf);
  }
  keys(): IteratorObject<string> {
    return new PairIterator("FormData", this.#now, nameOf);
  }
  values(): IteratorObject<Value> {
    return new PairIterator("FormData", this.#now, valueOf);
  }
  [Symbol.iterator](): IteratorObject<Entry> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return "FormData";
  }
}

/** A blob becomes a file; so does a file that gets another name. */
function entryOf(name: unknown, value: unknown, filename: unknown, given: number): Entry {
  const key = toText(name).toWellFormed();
  if (!(value instanceof Blob)) {
    if (given > 2) throw new TypeError("only a Blob has a file name");
    return [key, toText(value).toWellFormed()];
  }
  if (value instanceof File && filename === undefined) return [key, value];
  const { type } = value;
  const lastModified = value instanceof File ? value.lastModified : undefined;
  return [key, new File([value], filename === undefined ? "blob" : filename, { type, lastModified })];
}
