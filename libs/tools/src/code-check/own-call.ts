import type { AnyNode } from "acorn";
import { isCallable, namedFunctions, type Line } from "./named-functions.ts";
import { hasMethod, namedHolders } from "./own-methods.ts";

/** Methods that hand a promise's value on. */
const CHAIN: ReadonlySet<string> = new Set(["then", "catch", "finally"]);
const CALLS: ReadonlySet<string> = new Set(["call", "apply"]);

/**
 * Whether it is a call of a function of the code's own: one that stands there in brackets, one that its top level declares, or
 * a method of a class or a literal that it declares; awaited, or with its promise handed on.
 */
export function isOwnCall(expression: AnyNode, lines: readonly Line[]): boolean {
  let node = expression;
  for (let inner = behind(node); inner !== null; inner = behind(node)) node = inner;
  return node.type === "CallExpression" && isOwnFunction(node.callee, lines);
}

function behind(node: AnyNode): AnyNode | null {
  if (node.type === "AwaitExpression") return node.argument;
  if (node.type === "UnaryExpression") return node.operator === "void" ? node.argument : null;
  if (node.type !== "CallExpression") return null;
  const member = memberOf(node.callee);
  return member !== null && CHAIN.has(member.name) ? member.object : null;
}

function isOwnFunction(callee: AnyNode, lines: readonly Line[]): boolean {
  if (isCallable(callee)) return true;
  if (callee.type === "Identifier")
    return lines.some((line) => namedFunctions(line).some(({ name }) => name === callee.name));
  const member = memberOf(callee);
  if (member === null) return false;
  const { object, name } = member;
  if (isCallable(object)) return CALLS.has(name);
  if (object.type === "NewExpression") return isMethodOfMade(object, name, lines);
  if (object.type !== "Identifier") return false;
  const made = madeBy(object.name, lines);
  return made === null ? isMethod(object.name, name, false, lines) : isMethodOfMade(made, name, lines);
}

/** The `new` expression that a variable of the top level is made by; null where it is made otherwise. */
function madeBy(variable: string, lines: readonly Line[]): AnyNode | null {
  for (const line of lines) {
    if (line.type !== "VariableDeclaration") continue;
    for (const { id, init } of line.declarations)
      if (id.type === "Identifier" && id.name === variable && init?.type === "NewExpression") return init;
  }
  return null;
}

const isMethodOfMade = (made: AnyNode, name: string, lines: readonly Line[]): boolean =>
  made.type === "NewExpression" &&
  made.callee.type === "Identifier" &&
  isMethod(made.callee.name, name, true, lines);

const isMethod = (holder: string, name: string, isMade: boolean, lines: readonly Line[]): boolean =>
  lines.some((line) => namedHolders(line).some((one) => one.name === holder && hasMethod(one, name, isMade)));

function memberOf(node: AnyNode): { object: AnyNode; name: string } | null {
  if (node.type !== "MemberExpression" || node.computed || node.property.type !== "Identifier") return null;
  return { object: node.object, name: node.property.name };
}
