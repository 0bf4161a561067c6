import type { AnyNode } from "acorn";
import type { Line } from "./named-functions.ts";

/** Whether the code may return by a statement of its own, not by one of a function in it. */
export function returnsItself(lines: readonly Line[]): boolean {
  const pending: AnyNode[] = [...lines];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.type === "ReturnStatement") return true;
    pending.push(...within(node));
  }
  return false;
}

/** The statements in a statement. */
function within(node: AnyNode): AnyNode[] {
  switch (node.type) {
    case "BlockStatement":
      return node.body;
    case "IfStatement":
      return node.alternate ? [node.consequent, node.alternate] : [node.consequent];
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "WhileStatement":
    case "DoWhileStatement":
    case "LabeledStatement":
    case "WithStatement":
      return [node.body];
    case "TryStatement":
      return [
        node.block,
        ...(node.handler ? [node.handler.body] : []),
        ...(node.finalizer ? [node.finalizer] : []),
      ];
    case "SwitchStatement":
      return node.cases.flatMap(({ consequent }) => consequent);
    default:
      return [];
  }
}
