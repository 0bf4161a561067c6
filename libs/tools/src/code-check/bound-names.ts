import type { AnyNode, Pattern } from "acorn";

/** The names that patterns bind: those of parameters, of declarations and of `catch`. Needs no stack. */
export function boundNames(patterns: readonly Pattern[]): string[] {
  const names: string[] = [];
  const pending: (AnyNode | null)[] = [...patterns];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    switch (node?.type) {
      case "Identifier":
        names.push(node.name);
        break;
      case "ObjectPattern":
        for (const property of node.properties) pending.push(property);
        break;
      case "Property":
        pending.push(node.value);
        break;
      case "ArrayPattern":
        for (const element of node.elements) pending.push(element);
        break;
      case "AssignmentPattern":
        pending.push(node.left);
        break;
      case "RestElement":
        pending.push(node.argument);
        break;
      default: // a hole of an array pattern
    }
  }
  return names;
}
