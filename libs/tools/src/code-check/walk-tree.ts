import type { AnyNode, Program } from "acorn";
import { declareNames } from "./declare-names.ts";
import { Scope } from "./scope.ts";

/** A node of the tree and what is around it. */
export interface Place {
  node: AnyNode;
  parent: Place | null;
  scope: Scope;
  /** Levels from the root. */
  depth: number;
  /** Whether `this` means here what it means at the top of the tool: nothing. */
  toolsThis: boolean;
}

/**
 * Visits every node that can be more than a bare name or value (keys and labels are skipped), until the visitor
 * answers false. In no order to rely on, in time linear in the tree, and without recursion; the scopes hold all
 * that is declared in them only when the walk is over, and `declared` then every name that is, wherever.
 */
export function walkTree(
  program: Program,
  visit: (place: Place) => boolean,
  declared: Set<string> = new Set(),
): void {
  const scope = new Scope(declared);
  const pending: Place[] = [{ node: program, parent: null, scope, depth: 0, toolsThis: false }];
  for (let place = pending.pop(); place; place = pending.pop()) {
    if (!visit(place)) return;
    const { node } = place;
    const opened = openScope(node, place.scope);
    declareNames(node, place.scope, opened);
    // The wrapping function is the program's only child; inside it is the tool.
    const isWrapper = place.depth === 1;
    for (const key in node) {
      const value: unknown = node[key as keyof AnyNode];
      if (typeof value !== "object" || isBareName(node, key)) continue;
      const inner = scopeOf(node, key, place.scope, opened);
      const toolsThis = isWrapper || (place.toolsThis && !bindsThis(node, key));
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child))
          pending.push({ node: child, parent: place, scope: inner, depth: place.depth + 1, toolsThis });
      }
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Whether what stands there is the name of a property, a label or a specifier: no variable, whatever it says. */
function isBareName(node: AnyNode, key: string): boolean {
  if (key === "key" || key === "property") return !("computed" in node && node.computed);
  if (key === "id") return node.type !== "VariableDeclarator";
  return (
    key === "label" || key === "meta" || key === "specifiers" || key === "attributes" || key === "exported"
  );
}

function openScope(node: AnyNode, around: Scope): Scope {
  switch (node.type) {
    case "StaticBlock":
      return around.open(true);
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
    case "ClassDeclaration":
    case "ClassExpression":
    case "BlockStatement":
    case "ForStatement":
    case "ForInStatement":
    case "ForOfStatement":
    case "SwitchStatement":
    case "CatchClause":
      return around.open();
    default:
      return around;
  }
}

function scopeOf(node: AnyNode, key: string, around: Scope, opened: Scope): Scope {
  if (key === "discriminant") return around;
  // Defaults of parameters don't see what the body declares.
  return key === "body" && isFunction(node) ? opened.open(true) : opened;
}

const isFunction = ({ type }: AnyNode): boolean =>
  type === "FunctionDeclaration" || type === "FunctionExpression" || type === "ArrowFunctionExpression";

function bindsThis({ type }: AnyNode, key: string): boolean {
  if (type === "PropertyDefinition") return key === "value";
  return type === "FunctionDeclaration" || type === "FunctionExpression" || type === "StaticBlock";
}
