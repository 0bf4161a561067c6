import {
  capabilitiesOf,
  grownCapabilities,
  judgeNewTool,
  judgeVersion,
  type AuditDetails,
  type Capabilities,
  type Creator,
  type NameRecord,
  type TenantPrincipal,
  type Tool,
  type ToolDefinition,
  type Waits,
} from "@bulkhead/core";
import { calledToolsIn } from "./called-tools.ts";

/** What a definition may do: what it declares, and the tools that its code calls. */
export const capabilitiesIn = (definition: ToolDefinition): Capabilities =>
  capabilitiesOf(definition, calledToolsIn(definition.compiled ?? definition.code));

/** Whether a version of the tool runs, or would if the tool were enabled. */
export const hasServed = ({ status }: Pick<Tool, "status">): boolean =>
  status === "active" || status === "disabled";

/** What was last approved of the tool; null where nobody has approved anything. */
const approvedOf = (tool: Tool): Capabilities | null =>
  tool.approved ?? (hasServed(tool) ? capabilitiesIn(tool) : null);

/** Less than any tool asks for, so that whatever is judged by it waits. */
const NO_CAPABILITIES: Capabilities = {
  permissions: [],
  hosts: [],
  services: [],
  tools: [],
  limits: {
    cpuMs: 0,
    wallMs: 0,
    memoryMib: 0,
    networkRequests: 0,
    bytesIn: 0,
    bytesOut: 0,
    resultBytes: 0,
    logBytes: 0,
    nestedCalls: 0,
  },
};

/**
 * What counts as approved of the tool after a person rejected its version: what did before, and where nobody has approved
 * anything, that: neither another version nor, once it is deleted, a new tool of its name passes without a person again.
 */
export const approvedByRejection = (tool: Tool): Capabilities | null =>
  tool.approved === null && !hasServed(tool) ? NO_CAPABILITIES : null;

/** What a version may do as the audit log tells it: names alone, `*` for any. */
export const deedOf = ({ permissions, hosts, services, tools }: Capabilities): AuditDetails => ({
  permissions,
  hosts: hosts ?? ["*"],
  services,
  tools: tools ?? ["*"],
});

/**
 * What stays recorded of the tool under the name it gives up; null where nobody approved or blocked anything of it. What a
 * person made was never approved, and what it may do is nothing that a model may take over with its name: whoever calls
 * the name means the person's tool.
 */
export function nameRecordOf(tool: Tool): NameRecord | null {
  const { name, createdBy } = tool;
  const blocked = tool.approval === "blocked";
  const capabilities = createdBy === "user" ? NO_CAPABILITIES : approvedOf(tool);
  if (capabilities === null && !blocked) return null;
  return { name, capabilities: capabilities ?? NO_CAPABILITIES, blocked };
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
 * What counts as approved of a model's tool after a person changed it: what they left it, so that a model does not take
 * back alone what a person took away. Empty where nothing changes of that.
 */
export function approvedByChange(
  { createdBy }: Pick<Tool, "createdBy">,
  definition: ToolDefinition,
  { role }: Pick<TenantPrincipal, "role">,
): { approved?: Capabilities } {
  return createdBy === "llm" && role !== "agent" ? { approved: capabilitiesIn(definition) } : {};
}

/** Whether a new tool waits, and what counts as approved of it from the start. */
export function judgeCreation(
  createdBy: Creator,
  lastApproved: Capabilities | null,
  definition: ToolDefinition,
): { waits: Waits | null; approved: Capabilities | null } {
  if (createdBy === "user") return { waits: null, approved: null };
  const wanted = capabilitiesIn(definition);
  const waits = judgeNewTool(createdBy, lastApproved, wanted);
  return { waits, approved: lastApproved ?? (waits ? null : wanted) };
}
