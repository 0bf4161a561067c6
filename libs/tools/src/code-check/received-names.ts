import type { AnyNode, Function as AnyFunction, Pattern, Program } from "acorn";
import { isCallable, linesOf, namedFunctions, type Line } from "./named-functions.ts";

/** What a tool's function is called with, in this order. */
const CALLED_WITH = ["args", "context"];

/** Names that are told of one function, and characters of each. */
const NAMES_MAX = 10;
const NAME_CHARS_MAX = 40;

/**
 * What the tool's function calls the things that it is given, where the code ends with a call of one with the arguments as a whole
 * (`return add(args, context)`); an empty text where it takes one apart. Null for any other code.
 */
export function receivedNames(program: Program): string[] | null {
  const lines = linesOf(program);
  const called = calledAtEnd(lines);
  return called && called.params.slice(0, NAMES_MAX).map(nameOf);
}

function calledAtEnd(lines: readonly Line[]): AnyFunction | null {
  const last = lines.findLast(({ type }) => type !== "EmptyStatement" && type !== "FunctionDeclaration");
  if (last?.type !== "ReturnStatement" || !last.argument) return null;
  const returned = last.argument.type === "AwaitExpression" ? last.argument.argument : last.argument;
  if (returned.type !== "CallExpression") return null;
  const { callee, arguments: given } = returned;
  const isWhole = given.every((one, at) => one.type === "Identifier" && one.name === CALLED_WITH[at]);
  if (given.length === 0 || !isWhole) return null;
  if (isCallable(callee)) return callee;
  if (callee.type !== "Identifier") return null;
  // Of several by one name the last one counts.
  return lines.flatMap(namedFunctions).findLast(({ name }) => name === callee.name)?.node ?? null;
}

function nameOf(taken: Pattern | AnyNode): string {
  if (taken.type === "AssignmentPattern") return nameOf(taken.left);
  return taken.type === "Identifier" ? taken.name.slice(0, NAME_CHARS_MAX) : "";
}
