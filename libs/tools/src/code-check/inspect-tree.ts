import type { Identifier, Program } from "acorn";
import { adviceOn, isFreeName } from "./advice.ts";
import { CODE_DEPTH_MAX } from "./bounds.ts";
import { calledToolAt, namedTools, type CalledTool } from "./called-tools.ts";
import type { Offence } from "./code-fault.ts";
import { memberOffence } from "./member-offence.ts";
import { moduleOffence } from "./module-syntax.ts";
import { namedServiceAt, type NamedService } from "./named-services.ts";
import { PERMITTED, permittedCallAt, type PermittedCall } from "./permitted-calls.ts";
import { TOO_DEEP } from "./parse-body.ts";
import { isFound, type Scope } from "./scope.ts";
import { findUndeclared, type UndeclaredName } from "./undeclared-names.ts";
import { walkTree, type Place } from "./walk-tree.ts";

/** The findings of one walk through a tool's tree. */
export interface Findings {
  /** Every broken rule, in no order; the first one too deep alone, where the tree is past its bound. */
  offences: Offence[];
  /** What the tool names that only a permission gives and doesn't declare itself, each once. */
  permittedCalls: PermittedCall[];
  /** The tools that it calls by plain names, sorted and each once; null where it may call any. */
  calledTools: string[] | null;
  /** The services that it names by plain texts where their values are asked for, sorted and each once. */
  namedServices: string[];
  /** The variables that the code uses and that neither it nor a tool's scope has, in the order of the text and each once. */
  undeclared: UndeclaredName[];
}

export function inspectTree(program: Program): Findings {
  const offences: Offence[] = [];
  const calls: { call: PermittedCall; name: string; scope: Scope }[] = [];
  const references: { node: Identifier; scope: Scope }[] = [];
  const called: CalledTool[] = [];
  const services: (NamedService & { scope: Scope })[] = [];
  const declared = new Set<string>();
  const askedFor = new Set<string>();
  let tooDeep: Offence | undefined;
  walkTree(
    program,
    (place) => {
      const { node, scope, depth } = place;
      if (depth > CODE_DEPTH_MAX) tooDeep = { at: node.start, rule: "syntax", message: TOO_DEEP };
      if (node.type === "Identifier") {
        if (isAskedForItsType(place)) askedFor.add(node.name);
        else references.push({ node, scope });
      }
      const named = permittedCallAt(node);
      if (named) calls.push({ call: named.call, name: named.root.name, scope });
      const tool = calledToolAt(place);
      if (tool) called.push(tool);
      const service = namedServiceAt(place);
      if (service) services.push({ ...service, scope });
      const offence = moduleOffence(node) ?? memberOffence(place);
      if (offence) offences.push(offence);
      return tooDeep === undefined;
    },
    declared,
  );
  if (tooDeep)
    return { offences: [tooDeep], permittedCalls: [], calledTools: [], namedServices: [], undeclared: [] };
  for (const { node, scope } of references) {
    const { name, start } = node;
    if (isFreeName(name) && !isFound(name, scope))
      offences.push({ at: start, rule: name, message: adviceOn(name) });
  }
  const named = new Set(calls.filter(({ name, scope }) => !isFound(name, scope)).map(({ call }) => call));
  const asked = services.filter(({ root, scope }) => !isFound(root.name, scope));
  return {
    offences,
    permittedCalls: PERMITTED.filter((call) => named.has(call)),
    calledTools: namedTools(called),
    namedServices: [...new Set(asked.map(({ name }) => name))].toSorted(),
    undeclared: findUndeclared(
      references.map(({ node }) => node).filter(({ name }) => !declared.has(name) && !askedFor.has(name)),
    ),
  };
}

/** `typeof` of a missing name is `"undefined"`: guards in code for many runtimes ask for it. */
function isAskedForItsType({ parent }: Place): boolean {
  return parent?.node.type === "UnaryExpression" && parent.node.operator === "typeof";
}
