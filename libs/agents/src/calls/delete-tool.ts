import type { DeleteCustomToolCall } from "@bulkhead/contracts";
import type { ConfirmedCall, TenantPrincipal } from "@bulkhead/core";
import { deleteTool } from "@bulkhead/tools";
import type { MetaToolDeps } from "../meta-tool-deps.ts";
import type { Waiting } from "../meta-tool-gate.ts";
import { getModelsTool } from "./models-tool.ts";

/**
 * `delete_custom_tool`: asks back unless `confirm` is true. Throws `tool.not_found`, `tool.made_by_user`, and like the
 * gate.
 */
export async function callDeleteTool(
  deps: MetaToolDeps,
  principal: TenantPrincipal,
  { context, ...call }: DeleteCustomToolCall,
): Promise<Waiting | { answer: DeletionAnswer }> {
  const tool = await getModelsTool(
    deps,
    principal,
    { name: call.name, context },
    { what: "delete", how: "DELETE " },
  );
  // Uses the present name: a call by the tool's id must show a person, and match by the tenant's rules, which tool is
  // meant.
  const named = { ...call, name: tool.name };
  const asked = { name: "delete_custom_tool", toolId: tool.id, arguments: named, context } as ConfirmedCall;
  if (!call.confirm) {
    // A question that leads nowhere is not asked.
    deps.metaToolGate.refuseBlocked(principal, { ...asked, arguments: { ...named, confirm: true } });
    const message = `This deletes the tool ${tool.name} (${tool.description.slice(0, 200).toWellFormed()}) for good, with all its versions. Call again with confirm: true to delete it.`;
    return { answer: { deleted: false, requiresConfirmation: true, name: tool.name, message } };
  }
  const approvalId = await deps.metaToolGate.confirm(principal, asked);
  if (approvalId !== null) return { approvalId };
  // Deletes by id: another tool may have taken the name meanwhile.
  const { schedulesPaused } = await deleteTool(deps, principal, tool.id);
  return { answer: deletedTool(tool.name, schedulesPaused) };
}

interface DeletionAnswer {
  deleted: boolean;
  requiresConfirmation?: true;
  name: string;
  message: string;
}

/** The answer about the deleted tool. */
export const deletedTool = (name: string, schedulesPaused = 0) => ({
  deleted: true,
  name,
  message: `The tool ${name} was deleted.${pauses(schedulesPaused)}`,
});

function pauses(schedules: number): string {
  if (schedules === 0) return "";
  return schedules === 1
    ? " The schedule that called it is paused."
    : ` The ${schedules} schedules that called it are paused.`;
}
