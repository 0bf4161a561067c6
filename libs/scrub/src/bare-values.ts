const NOT_IN_VALUE = /[\s"'`,;&<>(){}[\]|\\]/;
const IN_VALUE = Uint8Array.from({ length: 0x80 }, (_, code) =>
  NOT_IN_VALUE.test(String.fromCharCode(code)) ? 0 : 1,
);
const PUNCTUATION = ".:?";
/** Code, not a value: `request.body.password2`, `Uint8Array`, `sha256`. Nothing behind counts: a mark may come to stand there. */
const CODE = /[A-Za-z_$]{1,64}\.|(?:(?:big)?u?(?:int|float)\d+(?:array)?|(?:sha|md|base|utf)-?\d+)\b/iy;

/** Values without quotes in one text. Remembers where the last one ended, so that values in values cost no more. */
export class BareValues {
  readonly text: string;
  #from = 0;
  #runEnd = 0;
  #end = 0;
  #nextDigit = -1;

  constructor(text: string) {
    this.text = text;
  }

  /** The end of the value that begins here, without the punctuation of a sentence that it ends. */
  endAfter(from: number): number {
    if (from < this.#from || from >= this.#runEnd) {
      let end = from;
      while (end < this.text.length && isInValue(this.text.charCodeAt(end))) end++;
      this.#from = from;
      this.#runEnd = end;
      while (end > from && PUNCTUATION.includes(this.text[end - 1]!)) end--;
      this.#end = end;
    }
    return Math.max(from, this.#end);
  }

  /** Neither a word of prose nor a variable. */
  looksSecret(from: number, to: number): boolean {
    if ("$%*".includes(this.text[from]!) || this.#digitAfter(from) >= to) return false;
    CODE.lastIndex = from;
    return !CODE.test(this.text);
  }

  #digitAfter(from: number): number {
    if (this.#nextDigit < from) {
      const found = this.text.slice(from).search(/\d/);
      this.#nextDigit = found === -1 ? Infinity : from + found;
    }
    return this.#nextDigit;
  }
}

const isInValue = (code: number): boolean => code >= 0x80 || IN_VALUE[code] === 1;
