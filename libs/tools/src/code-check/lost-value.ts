import type { AnyNode } from "acorn";

/** Names that begin calls which are made for their value alone. */
const VALUE_ROOTS: ReadonlySet<string> = new Set(
  "api fetch utils JSON Math Number String Boolean structuredClone".split(" "),
);
/** The exceptions: calls that are made for their effect. */
const EFFECTS: ReadonlySet<string> = new Set(["api.log", "utils.callTool"]);
/** Methods of any object that are called for their value alone. */
const VALUE_METHODS: ReadonlySet<string> = new Set(
  "map filter reduce join slice concat flat flatMap find some every includes split trim replace replaceAll toString toFixed toUpperCase toLowerCase keys values entries fromEntries json text toSorted toReversed".split(
    " ",
  ),
);

/** Whether an expression that nobody takes the value of is hardly there for anything else. */
export function isForItsValue(expression: AnyNode): boolean {
  const inner = expression.type === "AwaitExpression" ? expression.argument : expression;
  const node = inner.type === "ChainExpression" ? inner.expression : inner;
  switch (node.type) {
    case "CallExpression":
      return isCallForItsValue(node.callee);
    case "Identifier":
    case "MemberExpression":
      // An awaited value may be there for the waiting alone.
      return inner === expression;
    case "Literal":
    case "TemplateLiteral":
    case "BinaryExpression":
    case "ArrayExpression":
    case "ObjectExpression":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return true;
    default:
      return false;
  }
}

function isCallForItsValue(callee: AnyNode): boolean {
  if (callee.type === "Identifier") return VALUE_ROOTS.has(callee.name);
  if (callee.type !== "MemberExpression" || callee.computed || callee.property.type !== "Identifier")
    return false;
  const method = callee.property.name;
  if (VALUE_METHODS.has(method)) return true;
  const { object } = callee;
  return (
    object.type === "Identifier" && VALUE_ROOTS.has(object.name) && !EFFECTS.has(`${object.name}.${method}`)
  );
}
