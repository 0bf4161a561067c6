import type { Identifier, Program } from "acorn";
import { adviceOn, isFreeName } from "./advice.ts";
import { CODE_DEPTH_MAX } from "./bounds.ts";
import type { Offence } from "./code-fault.ts";
import { memberOffence } from "./member-offence.ts";
import { moduleOffence } from "./module-syntax.ts";
import { TOO_DEEP } from "./parse-body.ts";
import { isFound, type Scope } from "./scope.ts";
import { walkTree } from "./walk-tree.ts";

/** Every broken rule in the tree, in no order; the first one too deep alone, where the tree is past its bound. */
export function findOffences(program: Program): Offence[] {
  const offences: Offence[] = [];
  const references: { node: Identifier; scope: Scope }[] = [];
  let tooDeep: Offence | undefined;
  walkTree(program, (place) => {
    const { node, scope, depth } = place;
    if (depth > CODE_DEPTH_MAX) tooDeep = { at: node.start, rule: "syntax", message: TOO_DEEP };
    if (node.type === "Identifier") references.push({ node, scope });
    const offence = moduleOffence(node) ?? memberOffence(place);
    if (offence) offences.push(offence);
    return tooDeep === undefined;
  });
  if (tooDeep) return [tooDeep];
  for (const { node, scope } of references) {
    const { name, start } = node;
    if (isFreeName(name) && !isFound(name, scope))
      offences.push({ at: start, rule: name, message: adviceOn(name) });
  }
  return offences;
}
