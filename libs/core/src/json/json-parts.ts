const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const LIST = 0x5b;
const OBJECT = 0x7b;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Counts the parts of a JSON text before anybody parses it: the names in its objects, its objects and its lists. They are what
 * parsing costs time for, about a microsecond each, where a text or a number costs a hundredth of that. Takes a text in pieces, in
 * UTF-8, and about 10 ms for a MiB.
 */
export class JsonParts {
  #count = 0;
  #isInText = false;
  #isEscaped = false;

  /** Of all that was taken since the last `reset`; one that is not valid JSON has at most as many before its fault. */
  get count(): number {
    return this.#count;
  }

  take(bytes: Uint8Array): void {
    let [count, isInText, isEscaped] = [this.#count, this.#isInText, this.#isEscaped];
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      // No text goes over the end of a line, so that what stands around JSON in a stream of events can't begin one.
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) isInText = isEscaped = false;
      else if (isEscaped) isEscaped = false;
      else if (byte === QUOTE) isInText = !isInText;
      else if (isInText) isEscaped = byte === BACKSLASH;
      else if (byte === COLON || byte === LIST || byte === OBJECT) count += 1;
    }
    [this.#count, this.#isInText, this.#isEscaped] = [count, isInText, isEscaped];
  }

  /** Another text begins. */
  reset(): void {
    [this.#count, this.#isInText, this.#isEscaped] = [0, false, false];
  }
}
