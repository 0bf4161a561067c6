import type { AnyNode, Program } from "acorn";
import { applyEdits, callAtEnd, callOfLast } from "./call-edits.ts";
import type { Offence } from "./code-fault.ts";
import { callOfExport } from "./exported-function.ts";
import { isCallable, linesOf, namedFunctions, type Line, type NamedFunction } from "./named-functions.ts";
import { BODY_START } from "./parse-body.ts";
import { isBinding } from "./is-binding.ts";
import { walkTree } from "./walk-tree.ts";

/** How code that is whole functions runs: as which text, or why not at all. Null for any other code. */
type WholeFunction = { runs: string } | { uncalled: Offence } | null;

/** The name that is called where several functions could be. */
const MAIN = "main";
/** Names that a refusal tells, and characters of each. */
const NAMES_TOLD_MAX = 5;
const NAME_CHARS_MAX = 40;

/**
 * One rule: what the code exports, else its one bare function at the end, else, where it does nothing but declare, the function
 * that nothing of it uses (`main` where there are several), is called with the arguments and the context.
 */
export function wholeFunction(program: Program, code: string): WholeFunction {
  const lines = linesOf(program);
  const exported = callOfExport(lines, code);
  if (exported) return { runs: applyEdits(code, exported) };
  const last = lines.at(-1);
  if (!last || !lines.slice(0, -1).every(isDeclaration)) return null;
  if (last.type === "ExpressionStatement" && isCallable(last.expression)) {
    const before = lines.at(-2);
    const after = before ? before.end - BODY_START : 0;
    return { runs: applyEdits(code, callOfLast(code, after, last.end - BODY_START)) };
  }
  return isDeclaration(last) ? callOfDeclared(program, lines, code) : null;
}

function isDeclaration(line: Line): boolean {
  switch (line.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "VariableDeclaration":
    case "EmptyStatement":
      return true;
    default:
      return line.type === "ExpressionStatement" && "directive" in line && line.directive !== undefined;
  }
}

function callOfDeclared(program: Program, lines: readonly Line[], code: string): WholeFunction {
  // Of several by one name the last one counts.
  const functions = new Map(lines.flatMap(namedFunctions).map((one) => [one.name, one]));
  if (functions.size === 0) return generatorAlone(lines);
  const unused = unusedOf(program, functions);
  const called = unused.find(({ name }) => name === MAIN) ?? unused[0];
  if (!called) return null;
  if (unused.length === 1 || called.name === MAIN)
    return { runs: applyEdits(code, [callAtEnd(code, called.name)]) };
  return {
    uncalled: {
      at: called.node.start,
      rule: "uncalled",
      message: uncalledMessage(unused.map(({ name }) => name)),
    },
  };
}

/** Calling a generator runs nothing of it. */
function generatorAlone(lines: readonly Line[]): WholeFunction {
  for (const line of lines)
    if (line.type === "FunctionDeclaration" && line.generator) {
      const name = line.id.name.slice(0, NAME_CHARS_MAX);
      const all = line.async ? `await Array.fromAsync(${name}(args))` : `[...${name}(args)]`;
      const message = `The code declares the generator ${name} and asks it for nothing, so nothing would run: end it with return ${all};.`;
      return { uncalled: { at: line.start, rule: "uncalled", message } };
    }
  return null;
}

/** Those whose names stand nowhere but in themselves, as far as can be told. */
function unusedOf(program: Program, functions: ReadonlyMap<string, NamedFunction>): NamedFunction[] {
  const used = new Set<string>();
  // What has the name of one of them further in may be meant by its uses there.
  const shadowed = new Set<string>();
  walkTree(program, (place) => {
    const { node } = place;
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
      const own = node.id && functions.get(node.id.name);
      if (own && node.id.start !== own.declaredAt) shadowed.add(own.name);
    }
    if (node.type !== "Identifier") return true;
    const own = functions.get(node.name);
    if (!own || node.start === own.declaredAt) return true;
    if (isBinding(place)) shadowed.add(node.name);
    else if (!isWithin(node, own)) used.add(node.name);
    return true;
  });
  return [...functions.values()].filter(({ name }) => !used.has(name) || shadowed.has(name));
}

const isWithin = ({ start }: AnyNode, { node, declaredAt }: NamedFunction): boolean =>
  start === declaredAt || (start >= node.start && start < node.end);

function uncalledMessage(names: readonly string[]): string {
  const told = names.slice(0, NAMES_TOLD_MAX).map((name) => name.slice(0, NAME_CHARS_MAX));
  const more = names.length > told.length ? " and others" : "";
  return `The code declares ${told.join(", ")}${more} and calls none of them, so nothing would run: end it with return ${told[0]}(args);, or call the one to begin with ${MAIN}.`;
}
