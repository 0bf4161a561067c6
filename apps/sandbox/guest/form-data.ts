import { toText } from "./primordials.ts";
import { Blob, File } from "./blob.ts";

type Value = string | File;
type Entry = [name: string, value: Value];

/** The fields of a form, files among them, in the order in which they were added. */
export class FormData {
  #entries: Entry[] = [];

  constructor(form?: unknown) {
    if (form !== undefined) throw new TypeError("FormData takes no form here");
  }

  append(name: unknown, value: unknown, ...filename: unknown[]): void {
    this.#entries.push(entryOf(name, value, filename));
  }
  /** Takes the place of the first of that name. */
  set(name: unknown, value: unknown, ...filename: unknown[]): void {
    const entry = entryOf(name, value, filename);
    const at = this.#entries.findIndex(([other]) => other === entry[0]);
    if (at < 0) this.#entries.push(entry);
    else {
      this.#entries = this.#entries.filter(([other], index) => index <= at || other !== entry[0]);
      this.#entries[at] = entry;
    }
  }
  delete(name: unknown): void {
    const wanted = toText(name);
    this.#entries = this.#entries.filter(([other]) => other !== wanted);
  }
  get(name: unknown): Value | null {
    return this.getAll(name)[0] ?? null;
  }
  getAll(name: unknown): Value[] {
    const wanted = toText(name);
    return this.#entries.filter(([other]) => other === wanted).map(([, value]) => value);
  }
  has(name: unknown): boolean {
    return this.getAll(name).length > 0;
  }
  forEach(callback: (value: Value, name: string, form: FormData) => void, thisArg?: unknown): void {
    for (const [name, value] of this.#entries) callback.call(thisArg, value, name, this);
  }
  *entries(): Generator<Entry> {
    for (const [name, value] of this.#entries) yield [name, value];
  }
  *keys(): Generator<string> {
    for (const [name] of this.#entries) yield name;
  }
  *values(): Generator<Value> {
    for (const [, value] of this.#entries) yield value;
  }
  [Symbol.iterator](): Generator<Entry> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return "FormData";
  }
}

/** A blob becomes a file; so does a file that gets another name. */
function entryOf(name: unknown, value: unknown, filename: unknown[]): Entry {
  const key = toText(name).toWellFormed();
  if (!(value instanceof Blob)) {
    if (filename.length > 0) throw new TypeError("only a Blob has a file name");
    return [key, toText(value).toWellFormed()];
  }
  if (value instanceof File && filename.length === 0) return [key, value];
  const file = value instanceof File ? value.name : "blob";
  return [key, new File([value], filename.length > 0 ? filename[0] : file, { type: value.type })];
}
