import type { Place } from "./walk-tree.ts";

const COMPARISONS: readonly string[] = ["==", "!=", "===", "!==", "instanceof"];

/**
 * Whether the value of `place` is compared, tested, asked for its `name` or replaced, and so comes out nowhere.
 * The answer is false where that can't be told.
 */
export function isOnlyLookedAt(place: Place): boolean {
  let at = place;
  // `a?.b` stands in an expression of its own.
  while (at.parent?.node.type === "ChainExpression") at = at.parent;
  const around = at.parent?.node;
  switch (around?.type) {
    case "BinaryExpression":
      return COMPARISONS.includes(around.operator);
    case "UnaryExpression":
      return around.operator === "typeof" || around.operator === "!";
    case "MemberExpression":
      return around.object === at.node && !around.computed && nameIs(around.property, "name");
    case "LogicalExpression":
      // A function is truthy: on the left of `&&` it goes no further.
      return around.operator === "&&" && around.left === at.node;
    case "ConditionalExpression":
    case "IfStatement":
      return around.test === at.node;
    case "SwitchStatement":
    case "SwitchCase":
      return true;
    case "AssignmentExpression":
      return around.operator === "=" && around.left === at.node;
    default:
      return false;
  }
}

const nameIs = (property: { type: string; name?: string }, name: string): boolean =>
  property.type === "Identifier" && property.name === name;
