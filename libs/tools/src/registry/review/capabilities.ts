import {
  capabilitiesOf,
  grownCapabilities,
  judgeNewTool,
  judgeVersion,
  NO_CAPABILITIES,
  namesOf,
  type AuditDetails,
  type Capabilities,
  type Creator,
  type NameRecord,
  type TenantPrincipal,
  type Tool,
  type ToolDefinition,
  type Waits,
} from "@bulkhead/core";
import { inspectedCode } from "../inspected-code.ts";

/** The tools that a code calls, null if it may call any. Callers share the list. */
const calledToolsIn = (code: string): readonly string[] | null => inspectedCode(code).calledTools;

/** The capabilities of a definition: those it declares, and the tools that its code calls. */
export const capabilitiesIn = (definition: ToolDefinition): Capabilities =>
  capabilitiesOf(definition, definition.shell ? [] : calledToolsIn(definition.compiled ?? definition.code));

/** Whether a version of the tool runs, or would if the tool were enabled. */
export const hasServed = ({ status }: Pick<Tool, "status">): boolean =>
  status === "active" || status === "disabled";

/** The last approved capabilities of the tool; null if nobody has approved anything. */
const approvedOf = (tool: Tool): Capabilities | null =>
  tool.approved ?? (hasServed(tool) ? capabilitiesIn(tool) : null);

/**
 * The tool's approved capabilities after a person rejected its version: the former ones, and if nobody has approved
 * anything, none. Neither another version nor, after its deletion, a new tool of its name passes without a person again.
 */
export const approvedByRejection = (tool: Tool): Capabilities | null =>
  tool.approved === null && !hasServed(tool) ? NO_CAPABILITIES : null;

/** A version's capabilities for the audit log: names alone, `*` for any. */
export const deedOf = ({ permissions, hosts, services, tools }: Capabilities): AuditDetails => ({
  permissions,
  hosts: hosts ?? ["*"],
  services,
  tools: tools ?? ["*"],
});

/**
 * The record that stays under the names that a tool gives up, its alias among them; null if nobody approved or blocked anything of it. A person's
 * tool was never approved, and a model may not take over its capabilities with its name: callers of the name mean the
 * person's tool.
 */
export function nameRecordOf(tool: Tool, names: string[] = namesOf(tool)): NameRecord | null {
  const { createdBy } = tool;
  const blocked = tool.approval === "blocked";
  const capabilities = createdBy === "user" ? NO_CAPABILITIES : approvedOf(tool);
  if (capabilities === null && !blocked) return null;
  return { names, capabilities: capabilities ?? NO_CAPABILITIES, blocked };
}

/** Whether the next version of the tool waits. While nobody has approved any, each one does. */
export function judgeChange(
  tool: Tool,
  definition: ToolDefinition,
  { approval }: TenantPrincipal,
): Waits | null {
  const wanted = capabilitiesIn(definition);
  const approved = approvedOf(tool);
  if (!hasServed(tool) || approved === null)
    return { grown: approved ? grownCapabilities(approved, wanted) : [] };
  return judgeVersion(tool, approved, wanted, approval);
}

/**
 * The approved capabilities of a model's tool after a person changed it: those that the person left, so that a model can't
 * restore alone the ones that a person removed. Empty if the change affects none.
 */
export function approvedByChange(
  { createdBy }: Pick<Tool, "createdBy">,
  definition: ToolDefinition,
  { role }: Pick<TenantPrincipal, "role">,
): { approved?: Capabilities } {
  return createdBy === "llm" && role !== "agent" ? { approved: capabilitiesIn(definition) } : {};
}

/**
 * Whether a new tool waits, and its approved capabilities from the start. A model's tool that is `held` waits whatever it may
 * do.
 */
export function judgeCreation(
  createdBy: Creator,
  lastApproved: Capabilities | null,
  definition: ToolDefinition,
  held = false,
): { waits: Waits | null; approved: Capabilities | null } {
  if (createdBy === "user") return { waits: null, approved: null };
  const wanted = capabilitiesIn(definition);
  const waits = judgeNewTool(createdBy, lastApproved, wanted) ?? (held ? { grown: [] } : null);
  return { waits, approved: lastApproved ?? (waits ? null : wanted) };
}
