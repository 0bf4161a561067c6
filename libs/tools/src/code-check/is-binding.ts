import type { Place } from "./walk-tree.ts";

/** Whether the name that stands here is being declared: as a parameter, a variable, or what a `catch` catches. */
export function isBinding(place: Place): boolean {
  let { node, parent } = place;
  for (; parent; { node, parent } = parent) {
    const around = parent.node;
    switch (around.type) {
      case "VariableDeclarator":
        return around.id === node;
      case "CatchClause":
        return around.param === node;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return around.params.some((param) => param === node);
      case "AssignmentPattern":
        if (around.left !== node) return false;
        break;
      case "Property":
        if (around.value !== node) return false;
        break;
      case "ArrayPattern":
      case "ObjectPattern":
      case "RestElement":
        break;
      default:
        return false;
    }
  }
  return false;
}
