import { outOfRange, takeText } from "./arguments.ts";
import { setOwn } from "./own.ts";

const DELIMITER_CHARS_MAX = 8;
const COLUMNS_MAX = 10_000;

/**
 * The rows of a CSV text (RFC 4180) by the names in its first row; every value is a text, as it stands. Lines may end
 * in LF, CRLF or CR, also mixed; a byte order mark and lines of white space alone are skipped; white space around a name is not part
 * of it. A name that is empty or used before is made unique (`column_2`, `name_2`), a missing value is "", and one
 * beyond the names is `column_<n>`. Throws, with the line, where a quoted value doesn't end or doesn't end well.
 */
export function parseCsv(csv: string, delimiter = ","): Record<string, string>[] {
  const text = takeText("parseCsv", "csv", csv);
  const separator = takeText("parseCsv", "delimiter", delimiter);
  if (separator === "" || separator.length > DELIMITER_CHARS_MAX || /["\r\n]/.test(separator)) {
    throw outOfRange(
      "parseCsv",
      `delimiter must be 1 to ${DELIMITER_CHARS_MAX} characters, no quote or line break`,
    );
  }
  const rows = new CsvReader(text, separator).rows();
  const names = uniqueNames(rows[0] ?? []);
  const records: Record<string, string>[] = [];
  for (let i = 1; i < rows.length; i++) records.push(recordOf(names, rows[i] as string[]));
  return records;
}

function recordOf(names: string[], values: string[]): Record<string, string> {
  const record: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) setOwn(record, names[i] as string, values[i] ?? "");
  for (let i = names.length; i < values.length; i++) {
    let number = i + 1;
    while (Object.hasOwn(record, `column_${number}`)) number++;
    setOwn(record, `column_${number}`, values[i]);
  }
  return record;
}

function uniqueNames(header: string[]): string[] {
  const names = header.map((name) => name.trim());
  // A made-up name gives way to one that a later column really has.
  const taken = new Set(names);
  const seen = new Set<string>();
  const numbers = new Map<string, number>();
  const madeUp = (stem: string, from: number): string => {
    let number = Math.max(from, numbers.get(stem) ?? 0);
    while (taken.has(`${stem}_${number}`)) number++;
    numbers.set(stem, number + 1);
    return `${stem}_${number}`;
  };
  return names.map((name, index) => {
    if (name === "") return madeUp("column", index + 1);
    if (seen.has(name)) return madeUp(name, 2);
    seen.add(name);
    return name;
  });
}

/** Goes over the text once. */
class CsvReader {
  readonly #text: string;
  readonly #delimiter: string;
  #at: number;

  constructor(text: string, delimiter: string) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#at = text.startsWith("\u{feff}") ? 1 : 0;
  }

  rows(): string[][] {
    const rows: string[][] = [];
    while (this.#at < this.#text.length) {
      const isQuoted = this.#text[this.#at] === '"';
      const row = this.#row();
      if (isQuoted || row.length > 1 || row[0]?.trim() !== "") rows.push(row);
    }
    return rows;
  }

  #row(): string[] {
    const values = [this.#value()];
    while (this.#text.startsWith(this.#delimiter, this.#at)) {
      this.#at += this.#delimiter.length;
      values.push(this.#value());
      if (values.length > COLUMNS_MAX)
        throw outOfRange("parseCsv", `line ${this.#line()} has more than ${COLUMNS_MAX} values`);
    }
    this.#skipLineEnd();
    return values;
  }

  #value(): string {
    const text = this.#text;
    if (text[this.#at] === '"') return this.#quoted();
    const start = this.#at;
    while (!this.#isValueEnd()) this.#at++;
    return text.slice(start, this.#at);
  }

  #quoted(): string {
    const start = this.#at;
    let value = "";
    for (let from = start + 1; ; from = this.#at + 1) {
      const quote = this.#text.indexOf('"', from);
      if (quote < 0) throw this.#fault("a quoted value does not end", start);
      value += this.#text.slice(from, quote);
      this.#at = quote + 1;
      if (this.#text[this.#at] !== '"') break;
      value += '"';
    }
    if (!this.#isValueEnd()) throw this.#fault("there is more after the quote that ends a value", this.#at);
    return value;
  }

  #isValueEnd(): boolean {
    const char = this.#text[this.#at];
    if (char === undefined || char === "\n" || char === "\r") return true;
    return char === this.#delimiter[0] && this.#text.startsWith(this.#delimiter, this.#at);
  }

  #skipLineEnd(): boolean {
    const char = this.#text[this.#at];
    if (char !== "\n" && char !== "\r") return false;
    this.#at += char === "\r" && this.#text[this.#at + 1] === "\n" ? 2 : 1;
    return true;
  }

  #line(at = this.#at): number {
    return this.#text.slice(0, at).split(/\r\n|\r|\n/).length;
  }

  #fault(what: string, at: number): SyntaxError {
    return new SyntaxError(`utils.parseCsv: line ${this.#line(at)}: ${what}`);
  }
}
