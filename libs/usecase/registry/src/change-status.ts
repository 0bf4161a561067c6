import { TOOL_NEXT, type TenantPrincipal, type Tool, type ToolStatus } from "@bulkhead/domain";
import { Fault } from "@bulkhead/faults";
import { nameRecordOf } from "./approval/capabilities.ts";
import { keepServices } from "./keep-services.ts";
import { getTool } from "./read-tools.ts";
import { changedMeanwhile, requireSeen, type SeenAs } from "./seen-state.ts";
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
 * Makes the move for the tool as it is read here; one that is there already stays. Throws `tool.transition_refused`, `tool.precondition_failed` when the tool is not as the caller has seen it, and `tool.changed` when
 * another change came between.
 */
export async function moveTool(
  deps: StatusDeps,
  principal: TenantPrincipal,
  ref: string,
  move: ToolMove,
  seen: SeenAs = null,
): Promise<Tool> {
  const { from, to, change } = MOVES[move];
  const current = await getTool(deps, principal, ref);
  requireSeen(current, seen);
  if (current.status === to) return current;
  if (current.status !== from) {
    const next = TOOL_NEXT[current.status].join(" or ") || "nothing";
    throw new Fault("tool.transition_refused", {
      detail: `The tool is ${current.status}; from there it can become ${next}.`,
    });
  }
  const moved = await deps.tools.setStatus(principal.tenantId, current.id, [from], to, current.revision);
  if (!moved) throw changedMeanwhile(seen);
  await deps.bus.publish({ type: "forget", kind: "tool", id: moved.id });
  await tellChange(deps, principal, change, { before: current, after: moved });
  return moved;
}

/** How often a deletion looks again at a tool that others change meanwhile. */
const DELETIONS_MAX = 5;

/**
 * Removes the tool and its versions for good; its executions stay, and what was approved under its name as it was when it
 * went. Throws `tool.precondition_failed`, and `tool.changed` where others change it again and again meanwhile.
 */
export async function deleteTool(
  deps: StatusDeps,
  principal: TenantPrincipal,
  ref: string,
  seen: SeenAs = null,
): Promise<void> {
  const tool = await deleteAsRead(deps, principal, ref, seen);
  await deps.bus.publish({ type: "forget", kind: "tool", id: tool.id });
  await tellChange(deps, principal, "deleted", { before: tool, after: null });
  await keepServices(deps, principal, { before: tool, after: null });
}

async function deleteAsRead(
  deps: Pick<ToolDeps, "tools">,
  principal: TenantPrincipal,
  ref: string,
  seen: SeenAs,
): Promise<Tool> {
  for (let tries = 0; tries < DELETIONS_MAX; tries += 1) {
    const tool = await getTool(deps, principal, ref);
    requireSeen(tool, seen);
    if (await deps.tools.delete(principal.tenantId, tool.id, tool.revision, nameRecordOf(tool))) return tool;
  }
  throw changedMeanwhile(seen);
}
