import type { AnyNode, Identifier } from "acorn";

/** Functions that only a tool with the permission `network` has, as its code names them. */
export const NETWORK_CALLS = ["fetch", "api.rest", "api.graphql"] as const;
export type NetworkCall = (typeof NETWORK_CALLS)[number];

/** The variables in which those begin. */
const ROOTS = ["fetch", "api"] as const;
type Root = (typeof ROOTS)[number];

export const isNetworkRoot = (name: string): name is Root => (ROOTS as readonly string[]).includes(name);

/** A call that a node names, with the variable that must be nobody's own for it to be one; null for any other node. */
export function networkCallAt(node: AnyNode): { call: NetworkCall; root: Identifier } | null {
  if (node.type === "Identifier") return node.name === "fetch" ? { call: "fetch", root: node } : null;
  if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return null;
  const { object: root, property } = node;
  if (root.name !== "api" || property.type !== "Identifier") return null;
  const call = NETWORK_CALLS.find((known) => known === `api.${property.name}`);
  return call === undefined ? null : { call, root };
}
