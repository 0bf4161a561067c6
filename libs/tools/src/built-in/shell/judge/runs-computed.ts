import type { WordNode } from "just-bash";
import { plainText } from "./plain-text.ts";

/** A part of a parsed line, of whatever kind. */
export interface Node {
  type: string;
  [field: string]: unknown;
}

/** Parts of arithmetic in which no name stands. */
const NUMBERS: ReadonlySet<string> = new Set([
  "ArithNumber",
  "ArithBinary",
  "ArithUnary",
  "ArithTernary",
  "ArithGroup",
  "ArithNested",
]);
const COMPARING_NUMBERS: ReadonlySet<unknown> = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const ASKING_NAMES: ReadonlySet<unknown> = new Set(["-v", "-R"]);
/** An element of a list whose place is computed. */
const COMPUTED_PLACE = /\[(?!(?:[@*]|\d+)\])/;
/** Others are what programs are set by: PATH, HOME, IFS. */
const OWN_VARIABLE = /^[a-z][a-z0-9_]*$/;

/**
 * Whether a shell takes text that is known only when it runs for a program here: where numbers are computed, the value of a name
 * is a term of its own, in which `a[$(command)]` runs the command; `${x@P}` runs those in x, and `${!x}` in the name that x
 * holds. The same of a loop that sets what programs go by.
 */
export function runsComputed(node: Node): boolean {
  switch (node.type) {
    case "Transform":
      return node["operator"] === "P";
    case "Indirection":
      return true;
    case "ParameterExpansion":
      return COMPUTED_PLACE.test(String(node["parameter"]));
    case "CondUnary":
      return ASKING_NAMES.has(node["operator"]);
    case "CondBinary":
      return COMPARING_NUMBERS.has(node["operator"]) && !(isNumber(node["left"]) && isNumber(node["right"]));
    case "For":
      return !OWN_VARIABLE.test(String(node["variable"]));
    default:
      return /^Arith[A-Z]/.test(node.type) && !NUMBERS.has(node.type);
  }
}

const isNumber = (word: unknown): boolean => /^-?\d+$/.test(plainText(word as WordNode) ?? "");

/** Builtins that take names of variables, and so whatever stands in the brackets of one. */
const NAMING: ReadonlySet<string> = new Set([
  "test",
  "[",
  "read",
  "readarray",
  "mapfile",
  "printf",
  "let",
  "unset",
  "declare",
  "typeset",
  "local",
  "export",
  "readonly",
  "getopts",
  "wait",
]);

/** Whether a builtin may take a word of its command for a program in the same way. */
export const takesComputed = ([name, ...words]: readonly (string | null)[]): boolean =>
  NAMING.has(name ?? "") && words.some((word) => word === null || /\$\(|`/.test(word));

/** Whether a command takes some of its words for names of variables. */
export const takesNames = ([name = "", ...words]: readonly string[]): boolean =>
  NAMING.has(name) && (name !== "printf" || words.includes("-v"));
