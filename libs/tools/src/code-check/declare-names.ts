import type { AnyNode, Identifier, Pattern } from "acorn";
import type { Scope } from "./scope.ts";

/** Declares what a node declares: in the scope it stands in, or in the one it opens (the same where it opens none). */
export function declareNames(node: AnyNode, around: Scope, opened: Scope): void {
  const bound = boundBy(node).map(({ name }) => name);
  switch (node.type) {
    case "VariableDeclaration":
      if (node.kind === "var") around.declareVar(bound);
      else around.declare(bound);
      break;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      // The name of an expression is seen inside alone. In strict code a declaration's is seen in its block alone.
      if (node.id) (node.type === "FunctionDeclaration" ? around : opened).declare([node.id.name]);
      opened.declare(bound);
      break;
    case "ClassDeclaration":
    case "ClassExpression":
      if (!node.id) break;
      if (node.type === "ClassDeclaration") around.declare([node.id.name]);
      opened.declare([node.id.name]);
      break;
    case "CatchClause":
      opened.declare(bound);
      break;
    case "ImportDeclaration":
      around.declare(node.specifiers.map(({ local }) => local.name));
      break;
    default:
  }
}

/** The names that a node binds by patterns: parameters, variables, what a `catch` catches. It needs no stack. */
export function boundBy(node: AnyNode): Identifier[] {
  const names: Identifier[] = [];
  const pending: (AnyNode | null)[] = [...patternsOf(node)];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    switch (part?.type) {
      case "Identifier":
        names.push(part);
        break;
      case "ObjectPattern":
        for (const property of part.properties) pending.push(property);
        break;
      case "Property":
        pending.push(part.value);
        break;
      case "ArrayPattern":
        for (const element of part.elements) pending.push(element);
        break;
      case "AssignmentPattern":
        pending.push(part.left);
        break;
      case "RestElement":
        pending.push(part.argument);
        break;
      default: // a hole of an array pattern
    }
  }
  return names;
}

function patternsOf(node: AnyNode): Pattern[] {
  switch (node.type) {
    case "VariableDeclaration":
      return node.declarations.map(({ id }) => id);
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return node.params;
    case "CatchClause":
      return node.param ? [node.param] : [];
    default:
      return [];
  }
}
