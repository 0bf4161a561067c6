import type { AnyNode, Function as AnyFunction, ModuleDeclaration, Program, Statement } from "acorn";

export type Line = Statement | ModuleDeclaration;

/** A function that the top level of the code gives a name. */
export interface NamedFunction {
  name: string;
  node: AnyFunction;
  /** The offset at which the name is declared, which is no use of it. */
  declaredAt: number;
}

/** The tool's own statements: the wrapping function is the program's only child. */
export function linesOf(program: Program): Line[] {
  const [tool] = program.body;
  return tool?.type === "FunctionDeclaration" ? tool.body.body : [];
}

/** A generator only makes an object when it is called. */
export const isCallable = (node: AnyNode): node is AnyFunction & AnyNode =>
  (node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression") &&
  !node.generator;

/** The functions that a statement names, as a declaration or as the value of a variable. */
export function namedFunctions(line: AnyNode): NamedFunction[] {
  if (line.type === "FunctionDeclaration")
    return isCallable(line) && line.id ? [{ name: line.id.name, node: line, declaredAt: line.id.start }] : [];
  if (line.type !== "VariableDeclaration") return [];
  return line.declarations.flatMap(({ id, init }) =>
    id.type === "Identifier" && init && isCallable(init)
      ? [{ name: id.name, node: init, declaredAt: id.start }]
      : [],
  );
}
