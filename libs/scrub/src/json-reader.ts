import { step, type Automaton } from "./automaton.ts";
import { KEYWORD_AUTOMATON } from "./pattern-scan.ts";

/** The facts about one string of a JSON text. */
export interface StringSeen {
  /** The position after the closing quote. */
  end: number;
  /** Whether a value or a keyword stands in it. */
  isHit: boolean;
  /** Whether an escape may stand in it, or in its meaning, so that this look is not enough. */
  isSpelt: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
/** The codes of the escapes `\b \f \n \r \t`. */
const MEANT = new Map([
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
]);

/** Finds the strings of a JSON text that must be looked at closely, in one pass over both automata. */
export class JsonReader {
  readonly #json: string;
  readonly #values: Automaton;
  #ampersand = -1;
  // One object for all strings: there may be a hundred thousand.
  readonly #seen: StringSeen = { end: 0, isHit: false, isSpelt: false };

  constructor(json: string, values: Automaton) {
    this.#json = json;
    this.#values = values;
  }

  /** The result is valid until the next call. Throws if the string has no end. */
  readString(from: number): Readonly<StringSeen> {
    const json = this.#json;
    const values = this.#values;
    const keywords = KEYWORD_AUTOMATON;
    const { classes, classCount, dense, denseCount, ends } = values;
    const {
      classes: kinds,
      classCount: kindCount,
      dense: rows,
      denseCount: rowCount,
      ends: keywordEnds,
    } = keywords;
    let valueState = 0;
    let keywordState = 0;
    let hits = 0;
    let isSpelt = false;
    for (let at = from + 1; at < json.length; at++) {
      let code = json.charCodeAt(at);
      if (code === QUOTE) return this.#tell(at + 1, hits > 0, isSpelt || this.#hasAmpersand(from, at));
      if (code === BACKSLASH) {
        code = json.charCodeAt(++at);
        isSpelt ||= code === LETTER_U || code === BACKSLASH;
        code = MEANT.get(code) ?? code;
      }
      const cls = code < classes.length ? classes[code]! : 0;
      valueState =
        valueState < denseCount ? dense[valueState * classCount + cls]! : step(values, valueState, cls);
      const kind = code < 0x100 ? kinds[code]! : 0;
      keywordState =
        keywordState < rowCount ? rows[keywordState * kindCount + kind]! : step(keywords, keywordState, kind);
      hits |= ends[valueState]! | keywordEnds[keywordState]!;
    }
    throw new SyntaxError("a string in JSON text has no end");
  }

  #hasAmpersand(from: number, to: number): boolean {
    if (this.#ampersand < from) {
      const found = this.#json.indexOf("&", from);
      this.#ampersand = found === -1 ? Infinity : found;
    }
    return this.#ampersand < to;
  }

  endOfNumber(from: number): number {
    let at = from + 1;
    while (at < this.#json.length && "0123456789.eE+-".includes(this.#json[at]!)) at++;
    return at;
  }

  #tell(end: number, isHit: boolean, isSpelt: boolean): StringSeen {
    this.#seen.end = end;
    this.#seen.isHit = isHit;
    this.#seen.isSpelt = isSpelt;
    return this.#seen;
  }
}
