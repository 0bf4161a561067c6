import type { Permission } from "@bulkhead/core";
import type { AnyNode, Identifier } from "acorn";

/** What only a tool with a permission has, as its code names it. */
export const PERMITTED_CALLS = {
  fetch: "network",
  "api.rest": "network",
  "api.graphql": "network",
  "utils.fs": "filesystem",
  "utils.exec": "shell",
  "utils.data": "database",
  "utils.db": "database",
  "utils.email": "email",
  "utils.schedule": "scheduling",
} as const satisfies Record<string, Permission>;
export type PermittedCall = keyof typeof PERMITTED_CALLS;

export const PERMITTED = Object.keys(PERMITTED_CALLS).filter((name) => isPermittedCall(name));

function isPermittedCall(name: string): name is PermittedCall {
  return Object.hasOwn(PERMITTED_CALLS, name);
}

/** The variables in which those begin. */
const ROOTS: readonly string[] = ["fetch", "api", "utils"];

export const isPermittedRoot = (name: string): boolean => ROOTS.includes(name);

/** A call that a node names, with the variable that must be nobody's own for it to be one; null for any other node. */
export function permittedCallAt(node: AnyNode): { call: PermittedCall; root: Identifier } | null {
  if (node.type === "Identifier") return node.name === "fetch" ? { call: "fetch", root: node } : null;
  if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return null;
  const { object: root, property } = node;
  const call = property.type === "Identifier" ? `${root.name}.${property.name}` : "";
  return isPermittedCall(call) ? { call, root } : null;
}
