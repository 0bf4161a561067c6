import {
  TOOL_NEXT,
  type DeletedTool,
  type TenantPrincipal,
  type Tool,
  type ToolStatus,
  Fault,
} from "@bulkhead/core";
import { nameRecordOf } from "./review/capabilities.ts";
import { requireDeletable, requireEnablable } from "./bridged-rules.ts";
import { changeTool } from "./change-tool.ts";
import { keepServices } from "./keep-services.ts";
import { changedMeanwhile, type SeenAs } from "./seen-state.ts";
import { tellChange, type ToolChange } from "./tell-change.ts";
import type { ToolDeps } from "./tool-deps.ts";

type StatusDeps = Pick<ToolDeps, "tools" | "bus" | "tenantEvents" | "audit" | "toolServices">;

/** The moves between serving and not; those of approval are in `decideVersion`. */
const MOVES = {
  enable: { from: "disabled", to: "active", change: "enabled" },
  disable: { from: "active", to: "disabled", change: "disabled" },
} as const satisfies Record<string, { from: ToolStatus; to: ToolStatus; change: ToolChange }>;

export type ToolMove = keyof typeof MOVES;

/**
 * Makes the move on the tool's present state; a tool that is already there stays. Throws `tool.transition_refused`,
 * `auth.forbidden` for an agent that would undo the platform's decision, `tool.precondition_failed` if the tool is not as
 * the caller has seen it, and without a seen state `tool.changed` if others change it again and again meanwhile.
 */
export async function moveTool(
  deps: StatusDeps,
  principal: TenantPrincipal,
  ref: string,
  move: ToolMove,
  seen: SeenAs = null,
): Promise<Tool> {
  const { before, after } = await changeTool(deps, principal, { ref, seen }, (found) =>
    moveFound(deps, principal, found, move, seen),
  );
  if (before === after) return after;
  await deps.bus.publish({ type: "forget", kind: "tool", id: after.id, tenantId: after.tenantId });
  await tellChange(deps, principal, MOVES[move].change, { before, after });
  return after;
}

async function moveFound(
  deps: StatusDeps,
  principal: TenantPrincipal,
  before: Tool,
  move: ToolMove,
  seen: SeenAs,
): Promise<{ before: Tool; after: Tool }> {
  const { from, to } = MOVES[move];
  if (before.status === to) return { before, after: before };
  if (before.status !== from) throw refusedMove(before);
  if (move === "enable") requireEnablable(before, principal);
  if (move === "enable" && principal.role === "agent") refuseIfPlatformDisabled(before);
  const after = await deps.tools.setStatus(principal.tenantId, before.id, [from], to, before.revision);
  if (!after) throw changedMeanwhile(seen);
  return { before, after };
}

/** Here, and not where an agent's call comes in: the platform may disable the tool between two tries. */
function refuseIfPlatformDisabled({ id, statusReason }: Tool): void {
  if (statusReason === null) return;
  throw new Fault("auth.forbidden", {
    detail: `The platform disabled this tool: ${statusReason} Ask the user to look at it and to call POST /api/v1/custom-tools/${id}/enable.`,
  });
}

/** The refusal for a tool that is neither active nor disabled. */
function refusedMove({ id, status }: Tool): Fault {
  const path = `/api/v1/custom-tools/${id}`;
  const detail =
    TOOL_NEXT[status].length === 0
      ? `The tool is ${status}, and stays so; DELETE ${path} frees its name for another one.`
      : `The tool waits for approval: a person lets it run with POST ${path}/approve, or refuses it with POST ${path}/reject.`;
  return new Fault("tool.transition_refused", { detail });
}

/**
 * Removes the tool and its versions for good; its executions stay, and the capabilities that were approved under its name.
 * Its schedules are paused. Throws `tool.precondition_failed`, and `tool.changed` if others change it again and again
 * meanwhile.
 */
export async function deleteTool(
  deps: StatusDeps,
  principal: TenantPrincipal,
  ref: string,
  seen: SeenAs = null,
): Promise<DeletedTool> {
  const { tool, gone } = await changeTool(deps, principal, { ref, seen }, (found) =>
    deleteFound(deps, found, seen),
  );
  await tellDeleted(deps, principal, tool, gone);
  return gone;
}

/** Records and announces that a tool is gone. */
export async function tellDeleted(
  deps: Omit<StatusDeps, "tools">,
  principal: TenantPrincipal,
  tool: Tool,
  gone: DeletedTool,
): Promise<void> {
  await deps.bus.publish({ type: "forget", kind: "tool", id: tool.id, tenantId: tool.tenantId });
  await tellChange(deps, principal, "deleted", { before: tool, after: null, details: { ...gone } });
  await keepServices(deps, principal, { before: tool, after: null });
}

async function deleteFound(
  deps: Pick<ToolDeps, "tools">,
  tool: Tool,
  seen: SeenAs,
): Promise<{ tool: Tool; gone: DeletedTool }> {
  requireDeletable(tool);
  const gone = await deps.tools.delete(tool.tenantId, tool.id, tool.revision, nameRecordOf(tool));
  if (!gone) throw changedMeanwhile(seen);
  return { tool, gone };
}
