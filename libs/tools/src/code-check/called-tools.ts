import type { AnyNode } from "acorn";
import { CALLED_TOOLS_MAX } from "./bounds.ts";
import { foldString, plainText } from "./fold-string.ts";
import type { Place } from "./walk-tree.ts";

/** A tool that code calls; a `name` of null may be any. */
export interface CalledTool {
  name: string | null;
}

const UTILS = "utils";
const CALL_TOOL = "callTool";

/**
 * The tools that a mention of `utils` can call; null where it calls nothing. Whatever is not plainly `utils.callTool("a
 * name", …)` or another of its functions may be any tool: what holds `utils` or `callTool` can be passed on. So may a
 * variable of the tool's own with that name: it errs on that side.
 */
export function calledToolAt({ node, parent }: Place): CalledTool | null {
  if (node.type !== "Identifier" || node.name !== UTILS || parent === null) return null;
  const member = parent.node;
  if (member.type !== "MemberExpression" || member.object !== node) return { name: null };
  const name = memberName(member.property, member.computed);
  if (name === null) return { name: null };
  return name === CALL_TOOL ? { name: firstArgument(parent) } : null;
}

/** Each name once, sorted; null where one may be any, or where there are too many. */
export function namedTools(called: readonly CalledTool[]): string[] | null {
  const names = new Set<string>();
  for (const { name } of called) {
    if (name === null) return null;
    names.add(name);
  }
  return names.size > CALLED_TOOLS_MAX ? null : [...names].toSorted();
}

function memberName(property: AnyNode, computed: boolean): string | null {
  if (!computed && property.type === "Identifier") return property.name;
  return foldString(property);
}

/** The text with which `utils.callTool` is called; null where it is no plain text, or the function goes elsewhere. */
function firstArgument(member: Place): string | null {
  const call = member.parent?.node;
  if (call?.type !== "CallExpression" || call.callee !== member.node) return null;
  const [first] = call.arguments;
  return first === undefined ? null : plainText(first);
}
