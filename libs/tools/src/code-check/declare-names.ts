import type { AnyNode } from "acorn";
import { boundNames } from "./bound-names.ts";
import type { Scope } from "./scope.ts";

/** Declares what a node declares: in the scope it stands in, or in the one it opens (the same where it opens none). */
export function declareNames(node: AnyNode, around: Scope, opened: Scope): void {
  switch (node.type) {
    case "VariableDeclaration": {
      const names = boundNames(node.declarations.map(({ id }) => id));
      if (node.kind === "var") around.declareVar(names);
      else around.declare(names);
      break;
    }
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      // The name of an expression is seen inside alone. In strict code a declaration's is seen in its block alone.
      if (node.id) (node.type === "FunctionDeclaration" ? around : opened).declare([node.id.name]);
      opened.declare(boundNames(node.params));
      break;
    case "ClassDeclaration":
    case "ClassExpression":
      if (!node.id) break;
      if (node.type === "ClassDeclaration") around.declare([node.id.name]);
      opened.declare([node.id.name]);
      break;
    case "CatchClause":
      if (node.param) opened.declare(boundNames([node.param]));
      break;
    case "ImportDeclaration":
      around.declare(node.specifiers.map(({ local }) => local.name));
      break;
    default:
  }
}
