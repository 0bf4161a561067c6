import type { AnyNode, ExpressionStatement, Program } from "acorn";
import { applyEdits, callAtEnd, callOfLast, returnOf } from "./call-edits.ts";
import type { Offence } from "./code-fault.ts";
import { boundBy } from "./declare-names.ts";
import { assignedInVain, callOfExport } from "./exported-function.ts";
import { isForItsValue } from "./lost-value.ts";
import { isCallable, linesOf, namedFunctions, type Line, type NamedFunction } from "./named-functions.ts";
import { isOwnCall } from "./own-call.ts";
import { hasMethod, namedHolders, type Holder } from "./own-methods.ts";
import { returnsItself } from "./own-return.ts";
import { BODY_START } from "./parse-body.ts";
import { walkTree } from "./walk-tree.ts";

/**
 * How code that is whole functions runs: as which text, or why not at all; or at which offset a value stands that nobody takes.
 * Null for any other code.
 */
type WholeFunction = { runs: string } | { uncalled: Offence } | { unreturned: number } | null;

/** The name that is called where several functions could be. */
const MAIN = "main";
/** Methods that are called in classes and literals that are a tool's whole code elsewhere. */
const RUN_METHODS = [MAIN, "run", "execute", "handler", "handle", "invoke", "call"];
/** Names that a refusal tells, and characters of each. */
const NAMES_TOLD_MAX = 5;
const NAME_CHARS_MAX = 40;

/**
 * One rule: what the code exports, else its one bare function at the end, else, where it does nothing but declare, the function
 * that nothing of it uses (`main` where there are several), is called with the arguments and the context; and where code without
 * a `return` of its own ends with a call of a function of its own, the value of that is returned.
 */
export function wholeFunction(program: Program, code: string): WholeFunction {
  const lines = linesOf(program);
  const exported = callOfExport(lines, code);
  if (exported) return { runs: applyEdits(code, exported) };
  const inVain = returnsItself(lines) ? null : assignedInVain(lines);
  if (inVain) return { uncalled: inVain };
  if (lines.every(isDeclaration)) return callOfDeclared(program, lines, code);
  // Functions are there before the first statement, wherever they stand.
  const at = lines.findLastIndex(({ type }) => type !== "FunctionDeclaration" && type !== "EmptyStatement");
  const last = lines[at];
  if (last?.type !== "ExpressionStatement") return null;
  const before = lines[at - 1];
  const after = before ? before.end - BODY_START : 0;
  if (isCallable(last.expression) && lines.slice(0, at).every(isDeclaration))
    return { runs: applyEdits(code, callOfLast(code, after, last.end - BODY_START)) };
  return returnsItself(lines) ? null : valueOfLast(last, after, lines, code);
}

function valueOfLast(
  { expression, start, end }: ExpressionStatement,
  after: number,
  lines: readonly Line[],
  code: string,
): WholeFunction {
  if (!isOwnCall(expression, lines)) return isForItsValue(expression) ? { unreturned: start } : null;
  // `void` in front says that nobody waits, which is no longer so.
  const from = expression.type === "UnaryExpression" ? expression.argument.start : start;
  return {
    runs: applyEdits(
      code,
      returnOf(code, after, { from: start - BODY_START, to: from - BODY_START }, end - BODY_START),
    ),
  };
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
  const unused = unusedOf(program, functions);
  const called = unused.find(({ name }) => name === MAIN) ?? unused[0];
  if (called?.name !== MAIN) {
    const uncalled = methodAlone(program, lines);
    if (uncalled) return { uncalled };
  }
  if (!called) return functions.size === 0 ? generatorAlone(lines) : null;
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

/** A class or a literal that nothing uses, with a method that would be called elsewhere. */
function methodAlone(program: Program, lines: readonly Line[]): Offence | null {
  const holders = new Map(lines.flatMap(namedHolders).map((one) => [one.name, one]));
  if (holders.size === 0) return null;
  for (const holder of unusedOf(program, holders)) {
    const call = callOfHolder(holder);
    if (call === null) continue;
    const name = holder.name.slice(0, NAME_CHARS_MAX);
    const message = `The code declares ${name} and calls nothing of it, so nothing would run: end it with return ${call}(args);.`;
    return { at: holder.node.start, rule: "uncalled", message };
  }
  return null;
}

function callOfHolder(holder: Holder): string | null {
  const name = holder.name.slice(0, NAME_CHARS_MAX);
  for (const method of RUN_METHODS) {
    if (hasMethod(holder, method, true)) return `new ${name}().${method}`;
    if (hasMethod(holder, method, false)) return `${name}.${method}`;
  }
  return null;
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
function unusedOf<Named extends NamedFunction | Holder>(
  program: Program,
  functions: ReadonlyMap<string, Named>,
): Named[] {
  const used = new Set<string>();
  // Another declaration of the same name further in may be meant by the uses there.
  const shadowed = new Set<string>();
  // A node is visited before the names in it, so its bindings are known by then.
  const bound = new Set<AnyNode>();
  walkTree(program, ({ node }) => {
    for (const name of boundBy(node)) bound.add(name);
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
      const own = node.id && functions.get(node.id.name);
      if (own && node.id.start !== own.declaredAt) shadowed.add(own.name);
    }
    if (node.type !== "Identifier") return true;
    const own = functions.get(node.name);
    if (!own || node.start === own.declaredAt) return true;
    if (bound.has(node)) shadowed.add(node.name);
    else if (!isWithin(node, own)) used.add(node.name);
    return true;
  });
  return [...functions.values()].filter(({ name }) => !used.has(name) || shadowed.has(name));
}

const isWithin = ({ start }: AnyNode, { node, declaredAt }: NamedFunction | Holder): boolean =>
  start === declaredAt || (start >= node.start && start < node.end);

function uncalledMessage(names: readonly string[]): string {
  const told = names.slice(0, NAMES_TOLD_MAX).map((name) => name.slice(0, NAME_CHARS_MAX));
  const more = names.length > told.length ? " and others" : "";
  return `The code declares ${told.join(", ")}${more} and calls none of them, so nothing would run: end it with return ${told[0]}(args);, or call the one to begin with ${MAIN}.`;
}
