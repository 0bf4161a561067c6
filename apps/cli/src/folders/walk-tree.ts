import type { AnyNode } from "acorn";

/** Each node, those outside first; of one for which `visit` says false nothing further. Recurses nowhere. */
export function eachNode(node: AnyNode, visit: (node: AnyNode) => boolean): void {
  const left: AnyNode[] = [node];
  for (let next = left.pop(); next; next = left.pop()) {
    if (!visit(next)) continue;
    for (const value of Object.values(next)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) left.push(child);
    }
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";

/** The variables that a statement at the top of a module declares by their names. */
export function declaredNames(statement: AnyNode): string[] {
  const declared =
    statement.type === "ExportNamedDeclaration" && statement.declaration ? statement.declaration : statement;
  switch (declared.type) {
    case "ImportDeclaration":
      return declared.specifiers.map(({ local }) => local.name);
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return declared.id ? [declared.id.name] : [];
    case "VariableDeclaration":
      return declared.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
    default:
      return [];
  }
}
