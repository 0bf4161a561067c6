import { TOOL_NEXT, type TenantPrincipal, type Tool, type ToolStatus } from "@bulkhead/domain";
import { Fault, type FaultCode } from "@bulkhead/faults";
import { getTool, noSuchTool } from "./read-tools.ts";
import type { ToolDeps } from "./tool-deps.ts";

type StatusDeps = Pick<ToolDeps, "tools" | "bus">;

/** The four moves a person can make, each from one status to another. */
const MOVES = {
  enable: { from: "disabled", to: "active", refusal: "tool.transition_refused" },
  disable: { from: "active", to: "disabled", refusal: "tool.transition_refused" },
  approve: { from: "pending_approval", to: "active", refusal: "tool.not_pending" },
  reject: { from: "pending_approval", to: "rejected", refusal: "tool.not_pending" },
} as const satisfies Record<string, { from: ToolStatus; to: ToolStatus; refusal: FaultCode }>;

export type ToolMove = keyof typeof MOVES;

/** Makes the move; a tool that is there already stays. Throws `tool.transition_refused` or `tool.not_pending`. */
export async function moveTool(
  deps: StatusDeps,
  principal: TenantPrincipal,
  ref: string,
  move: ToolMove,
): Promise<Tool> {
  const { from, to, refusal } = MOVES[move];
  const current = await getTool(deps, principal, ref);
  if (current.status === to && refusal === "tool.transition_refused") return current;
  const moved = await deps.tools.setStatus(principal.tenantId, current.id, [from], to);
  if (!moved) {
    const next = TOOL_NEXT[current.status].join(" or ") || "nothing";
    throw new Fault(refusal, { detail: `The tool is ${current.status}; from there it can become ${next}.` });
  }
  await deps.bus.publish({ type: "forget", kind: "tool", id: moved.id });
  return moved;
}

/** Removes the tool and its versions for good; its executions stay. */
export async function deleteTool(deps: StatusDeps, principal: TenantPrincipal, ref: string): Promise<void> {
  const tool = await getTool(deps, principal, ref);
  if (!(await deps.tools.delete(principal.tenantId, tool.id))) throw noSuchTool();
  await deps.bus.publish({ type: "forget", kind: "tool", id: tool.id });
}
