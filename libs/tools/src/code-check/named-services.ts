import type { AnyNode, Identifier } from "acorn";
import { plainText } from "./fold-string.ts";
import { permittedCallAt } from "./permitted-calls.ts";

/** A service that code names, with the variable that must be nobody's own for it to be one. */
export interface NamedService {
  name: string;
  root: Identifier;
}

/** A node and those around it. */
interface NodeInTree {
  node: AnyNode;
  parent: NodeInTree | null;
}

/** The variable in which the look-ups begin; `auth` goes along with what begins in `api`. */
const SERVICES_ROOT = "utils";

export const isServicesRoot = (name: string): boolean => name === SERVICES_ROOT;

/** The functions of `utils` whose first argument is a service's name. */
const LOOKUPS: ReadonlySet<string> = new Set([
  "getApiKey",
  "getServiceConfig",
  "getConfigEntry",
  "getConfigEntries",
  "getFieldValue",
  "hmac",
]);

/**
 * The service that a node names by a plain text: `utils.getApiKey("x")` and its like, and `auth: "x"` or
 * `auth: { service: "x" }` in what `api.rest` or `api.graphql` is called with. Null for any other node.
 */
export function namedServiceAt({ node, parent }: NodeInTree): NamedService | null {
  if (node.type === "CallExpression") return lookedUp(node.callee, node.arguments[0]);
  if (node.type !== "Property" || keyOf(node) !== "auth") return null;
  const call = parent?.parent?.node;
  const root = call?.type === "CallExpression" ? permittedCallAt(call.callee)?.root : undefined;
  return root?.name === "api" ? named(root, serviceOf(node.value)) : null;
}

function lookedUp(callee: AnyNode, first: AnyNode | undefined): NamedService | null {
  if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return null;
  const { object: root, property, computed } = callee;
  if (root.name !== SERVICES_ROOT || computed || property.type !== "Identifier") return null;
  return LOOKUPS.has(property.name) ? named(root, first) : null;
}

function named(root: Identifier, expression: AnyNode | undefined): NamedService | null {
  const name = expression ? plainText(expression) : null;
  return name === null ? null : { name, root };
}

/** The part of the value of `auth` that names the service. */
function serviceOf(auth: AnyNode): AnyNode | undefined {
  if (auth.type !== "ObjectExpression") return auth;
  for (const property of auth.properties)
    if (property.type === "Property" && keyOf(property) === "service") return property.value;
  return undefined;
}

function keyOf({ computed, key }: { computed: boolean; key: AnyNode }): string | null {
  if (computed) return null;
  return key.type === "Identifier" ? key.name : plainText(key);
}
