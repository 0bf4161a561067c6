import type { AnyNode } from "acorn";

/** Characters after which a text is none of the words that are looked for. */
const FOLDED_LENGTH_MAX = 32;

/**
 * The text of an expression that is plainly always the same short text: string literals, templates, their sums, and
 * what comes last behind commas. Null for any other. Looks at each node once and needs no stack.
 */
export function foldString(expression: AnyNode): string | null {
  let text = "";
  const pending = [expression];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    switch (node.type) {
      case "Literal":
        if (typeof node.value !== "string") return null;
        text += node.value;
        break;
      case "TemplateElement":
        text += node.value.cooked ?? "";
        break;
      case "TemplateLiteral":
        for (let at = node.quasis.length - 1; at >= 0; at -= 1) {
          const [hole, quasi] = [node.expressions[at], node.quasis[at]];
          if (hole) pending.push(hole);
          if (quasi) pending.push(quasi);
        }
        break;
      case "BinaryExpression":
        if (node.operator !== "+") return null;
        pending.push(node.right, node.left);
        break;
      case "SequenceExpression":
        pending.push(...node.expressions.slice(-1));
        break;
      default:
        return null;
    }
    if (text.length > FOLDED_LENGTH_MAX) return null;
  }
  return text;
}

/** The text of a literal, however long, or a short one that is put together from constants; null for any other. */
export function plainText(expression: AnyNode): string | null {
  if (expression.type === "Literal") return typeof expression.value === "string" ? expression.value : null;
  return foldString(expression);
}
