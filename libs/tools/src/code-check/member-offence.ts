import type { AnyNode } from "acorn";
import { adviceOn, isFreeName, type FreeName } from "./advice.ts";
import type { Offence } from "./code-fault.ts";
import { foldString } from "./fold-string.ts";
import { isOnlyLookedAt } from "./only-looked-at.ts";
import type { Place } from "./walk-tree.ts";

/** The offence of a member access or a key; null where there is none. */
export function memberOffence(place: Place): Offence | null {
  const { node } = place;
  switch (node.type) {
    case "MemberExpression":
      return accessOffence(place, node.property, node.computed);
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition": {
      const name = nameOf(node.key, node.computed);
      // A class or a literal may have a `constructor` of its own; a pattern takes one from something else.
      const takes = name === "constructor" && place.parent?.node.type === "ObjectPattern";
      return name === "__proto__" || takes ? offence(node.key, name) : null;
    }
    default:
      return null;
  }
}

function accessOffence(place: Place, property: AnyNode, computed: boolean): Offence | null {
  const name = nameOf(property, computed);
  if (name === null || !isFreeName(name)) return null;
  if (name === "__proto__") return offence(property, name);
  // Nobody spells it as a text to compare it.
  if (name === "constructor") return !computed && isOnlyLookedAt(place) ? null : offence(property, name);
  const object = place.node.type === "MemberExpression" ? place.node.object : null;
  return object?.type === "ThisExpression" && place.toolsThis ? offence(property, name) : null;
}

function nameOf(property: AnyNode, computed: boolean): string | null {
  if (!computed && property.type === "Identifier") return property.name;
  return foldString(property);
}

const offence = ({ start }: AnyNode, rule: FreeName): Offence => ({
  at: start,
  rule,
  message: adviceOn(rule),
});
