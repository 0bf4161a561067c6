import { CODE_NESTING_MAX, CODE_TOKENS_MAX } from "./bounds.ts";

/** A bracket, or one token too many, that stops the parser; `at` is its offset. */
export class BracketFault extends Error {
  readonly at: number;
  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const OPENING = new Set(["(", "[", "{", "${"]);
const CLOSING = new Set([")", "]", "}"]);

/** The part of the parser's tokens that is looked at. */
interface SeenToken {
  type: { label: string };
  start: number;
  end: number;
}

/**
 * Sees each token of the wrapped source and throws a BracketFault at a bracket too deep, at one that closes the
 * wrapping function before the wrapper does, and at the first token past the bound.
 */
export function watchBrackets(sourceLength: number): (token: SeenToken) => void {
  let depth = -1; // the wrapper's parameters and brace go to 0
  let tokens = 0;
  return ({ type, start, end }) => {
    tokens += 1;
    if (tokens > CODE_TOKENS_MAX)
      throw new BracketFault(
        `The code has more than ${CODE_TOKENS_MAX} tokens: put data into one text for JSON.parse.`,
        start,
      );
    if (OPENING.has(type.label)) depth += 1;
    else if (CLOSING.has(type.label)) depth -= 1;
    else return;
    if (depth > CODE_NESTING_MAX)
      throw new BracketFault(`The code is nested deeper than ${CODE_NESTING_MAX} brackets.`, start);
    // `} evil(); async function x() {` would parse, as two functions.
    if (depth < 0 && type.label === "}" && end < sourceLength)
      throw new BracketFault("Unexpected }: it closes a block that is not open.", start);
  };
}
