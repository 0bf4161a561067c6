import type { Program } from "acorn";
import { BoundedParser } from "./bounded-parser.ts";
import { FAULT_MESSAGE_LENGTH_MAX } from "./bounds.ts";
import { BracketFault, watchBrackets } from "./bracket-watch.ts";
import type { Offence } from "./code-fault.ts";
import { WITH_ADVICE } from "./advice.ts";

// The code stands on lines of its own, so columns stay true and a last line comment can't swallow the brace.
const BEFORE = "async function tool() {\n";
const AFTER = "\n}";

/** The offset at which the tool's own text starts in the text that is parsed. */
export const BODY_START = BEFORE.length;

/** The tree of the code as the body of a strict async function, or the fault at which the parser stopped. */
export function parseBody(code: string): { program: Program } | { offence: Offence } {
  const source = BEFORE + code + AFTER;
  try {
    // Module goal: always strict, and `<!--` is no comment. What modules add is refused after parsing.
    const program = BoundedParser.parse(source, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowImportExportEverywhere: true,
      onToken: watchBrackets(source.length),
    });
    return { program };
  } catch (error) {
    return { offence: describe(error, BODY_START + code.length) };
  }
}

/** The words for a code that needs more of the stack than there is. */
export const TOO_DEEP = "The code is nested too deeply.";

function describe(error: unknown, bodyEnd: number): Offence {
  if (error instanceof BracketFault) return { at: error.at, rule: "syntax", message: error.message };
  // The parser descends once per operator and branch too, which no bracket shows; mostly it says so itself.
  if (error instanceof RangeError) return { at: BODY_START, rule: "syntax", message: TOO_DEEP };
  if (!(error instanceof SyntaxError)) throw error;
  const at = "pos" in error && typeof error.pos === "number" ? error.pos : bodyEnd;
  if (error.message.startsWith("Not enough stack")) return { at, rule: "syntax", message: TOO_DEEP };
  if (error.message.startsWith("'with' in")) return { at, rule: "with", message: WITH_ADVICE };
  const text = error.message.replace(/ \(\d+:\d+\)$/, "");
  const atEnd = at > bodyEnd && text.startsWith("Unexpected token");
  return { at, rule: "syntax", message: atEnd ? "Unexpected end of the code." : `${shorten(text)}.` };
}

/** Both ends: the parser quotes in the middle. */
function shorten(text: string): string {
  if (text.length <= FAULT_MESSAGE_LENGTH_MAX) return text;
  const half = Math.floor(FAULT_MESSAGE_LENGTH_MAX / 2) - 1;
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
